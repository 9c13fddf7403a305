using System.Net.Sockets;

namespace Transport;

/// <summary>Asks the kernel who is at the other end of a Unix socket: of who connected, as of connecting; of who listens, as of
/// listening.</summary>
internal static class PeerCredentials
{
    /// <summary>Returns the peer; no ids, and not the current user, if the system does not report.</summary>
    public static PeerIdentity Of(Socket socket) => SocketPeer.TryRead((int)socket.Handle, out SocketPeer peer) != Errno.None
        ? new PeerIdentity()
        : new PeerIdentity
        {
            UserId = (int)peer.User,
            GroupId = (int)peer.Group,
            ProcessId = peer.Process,
            IsCurrentUser = peer.User == Libc.geteuid(),
        };
}
