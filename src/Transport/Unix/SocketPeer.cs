using System.Runtime.InteropServices;

namespace Transport;

/// <summary>The peer of a Unix socket as the kernel recorded it: at connect() for a client, at listen() for a server.</summary>
/// <param name="Process">The process id; null on macOS.</param>
/// <param name="User">The effective user id.</param>
/// <param name="Group">The effective group id.</param>
internal readonly unsafe record struct SocketPeer(int? Process, uint User, uint Group)
{
    private const int SolSocket = 1, SoPeerCred = 17;   // Linux

    /// <summary>Reads the peer of a connected socket.</summary>
    public static Errno TryRead(int fd, out SocketPeer peer)
    {
        peer = default;
        if (Libc.IsMac)
        {
            uint user, group;
            Errno failed = Libc.ErrorOf(Libc.getpeereid(fd, &user, &group));
            peer = failed == Errno.None ? new SocketPeer(null, user, group) : default;
            return failed;
        }

        Credentials reported = default;
        uint size = (uint)sizeof(Credentials);
        Errno error = Libc.ErrorOf(Libc.getsockopt(fd, SolSocket, SoPeerCred, &reported, &size));
        peer = error == Errno.None ? new SocketPeer(reported.Process, reported.User, reported.Group) : default;
        return error;
    }

    /// <summary>struct ucred.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Credentials
    {
        public int Process;
        public uint User;
        public uint Group;
    }
}
