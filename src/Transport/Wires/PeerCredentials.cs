using System;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Mono.Unix.Native;

namespace Transport;

/// <summary>Asks the kernel who is at the other end of a Unix socket: of who connected, as of connecting; of who listens, as of
/// listening.</summary>
internal static class PeerCredentials
{
    private const int SolSocket = 1;
    private const int SoPeerCred = 17;

    /// <summary>Returns the peer; no ids, and not the current user, if the system does not tell.</summary>
    public static PeerIdentity Of(Socket socket)
    {
        int descriptor = (int)socket.Handle;
        if (SocketPath.IsLinux)
        {
            int size = Marshal.SizeOf<UCred>();
            return GetSockOpt(descriptor, SolSocket, SoPeerCred, out UCred peer, ref size) == 0
                ? new PeerIdentity
                {
                    UserId = (int)peer.User,
                    GroupId = (int)peer.Group,
                    ProcessId = peer.Process,
                    IsCurrentUser = peer.User == Syscall.geteuid(),
                }
                : new PeerIdentity();
        }

        return GetPeerEid(descriptor, out uint user, out uint group) == 0
            ? new PeerIdentity { UserId = (int)user, GroupId = (int)group, IsCurrentUser = user == Syscall.geteuid() }
            : new PeerIdentity();
    }

    [DllImport("libc", EntryPoint = "getsockopt", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetSockOpt(int socket, int level, int name, out UCred value, ref int size);

    [DllImport("libc", EntryPoint = "getpeereid", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetPeerEid(int socket, out uint user, out uint group);

    [StructLayout(LayoutKind.Sequential)]
    private struct UCred
    {
        public int Process;
        public uint User;
        public uint Group;
    }
}
