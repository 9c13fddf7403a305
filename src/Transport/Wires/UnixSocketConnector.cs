using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Connects to a Unix socket and makes sure that it belongs to whom it should.</summary>
internal static class UnixSocketConnector
{
    /// <remarks>
    /// The connect blocks, on a pool thread. A non-blocking one fails at once if the queue of the listener is full, and
    /// Mono's never ends; the blocking one waits in the kernel for as long as the send timeout says.
    /// </remarks>
    public static async Task<IWire> ConnectAsync(
        WireEndpoint endpoint, string path, TimeSpan timeout, IReadOnlyCollection<int> otherUsers, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Task<UnixSocketWire> connecting = Task.Run(() => Connect(endpoint, path, timeout, otherUsers), CancellationToken.None);
        var ended = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var bound = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using CancellationTokenRegistration registration = bound.Token.Register(() => ended.TrySetResult(true));
        bound.CancelAfter(timeout);
        bool isInTime = await Task.WhenAny(connecting, ended.Task).ConfigureAwait(false) == connecting;
        try
        {
            return isInTime ? await connecting.ConfigureAwait(false) : throw new TimeoutException();
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or TimeoutException)
        {
            if (!isInTime)
            {
                // Left to itself: closing the socket here would wait for the connect. Its own timeout ends it.
                _ = DropAsync(connecting);
            }

            cancellationToken.ThrowIfCancellationRequested();
            throw new TransportException(TransportFault.ConnectFailed, $"Cannot connect to {endpoint}: {Reason(e, path, timeout)}", e);
        }
    }

    private static UnixSocketWire Connect(
        WireEndpoint endpoint, string path, TimeSpan timeout, IReadOnlyCollection<int> otherUsers)
    {
        Socket? socket = null;
        try
        {
            socket = Connect(path, timeout);
            var wire = new UnixSocketWire(socket, endpoint.Kind);
            CheckServer(wire, endpoint, otherUsers);
            socket = null;   // the wire's
            return wire;
        }
        finally
        {
            socket?.Dispose();
        }
    }

    private static Socket Connect(string path, TimeSpan timeout)
    {
        Socket socket = UnixSocketEndPoint.NewSocket();
        try
        {
            socket.SendTimeout = Math.Max(1, (int)timeout.TotalMilliseconds); // 0 would mean without end.
            socket.Connect(new UnixSocketEndPoint(path));
            socket.SendTimeout = 0;
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static async Task DropAsync(Task<UnixSocketWire> connecting)
    {
        try
        {
            (await connecting.ConfigureAwait(false)).Dispose();
        }
        catch (Exception e) when (e is SocketException or TransportException)
        {
            // Nobody is interested any more.
        }
    }

    private static void CheckServer(UnixSocketWire wire, WireEndpoint endpoint, IReadOnlyCollection<int> otherUsers)
    {
        if (wire.Peer.IsCurrentUser || (wire.Peer.UserId is { } user && otherUsers.Contains(user)))
        {
            return;
        }

        string who = wire.Peer.UserId is { } other ? "user id " + other : "a user the system does not name";
        throw new TransportException(
            TransportFault.ConnectFailed,
            $"The process that listens at {endpoint} is {who}, not the user of this process: the connection was not used. Allow that user "
                + "explicitly where this is meant.");
    }

    private static string Reason(Exception e, string path, TimeSpan timeout)
    {
        if (e is SocketException { SocketErrorCode: SocketError.ConnectionRefused })
        {
            return "nobody listens there any more (connection refused).";
        }

        if (e is TimeoutException or SocketException { SocketErrorCode: SocketError.WouldBlock or SocketError.TimedOut })
        {
            return $"it was not accepted within {timeout.TotalSeconds:0.###} s; the listener's queue is full.";
        }

        if (e is SocketException { SocketErrorCode: SocketError.AccessDenied })
        {
            return "the system denies this user access to the socket (permission denied).";
        }

        return FileStatus.ReadLink(path, out _) == Errno.None ? e.Message
            : "there is no socket at that path. Has the listening process ended?";
    }
}
