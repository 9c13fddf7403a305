using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Makes listeners and wires for endpoints. Safe from any thread.</summary>
public static class WireFactory
{
    /// <summary>Names a new endpoint in a folder that only this user can enter, and removes the sockets that dead processes of this user left there.</summary>
    /// <param name="kind">"unix" (not on Windows) or "pipe".</param>
    /// <returns>An endpoint at which nobody listens yet.</returns>
    /// <remarks>
    /// The folder is <c>TRANSPORT_DIR</c> where that is set, else <c>XDG_RUNTIME_DIR/transport</c>, else <c>transport-UID</c> in the
    /// temporary folder (in <c>/tmp</c> where that path is too long). It is made with mode 0700; on every call its owner and mode
    /// are checked, and that it is no symbolic link.
    /// </remarks>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: the folder cannot be used; the message says why and what to do.</exception>
    public static WireEndpoint NewEndpoint(string kind) => EndpointDirectory.NewEndpoint(kind, EndpointSettings.FromEnvironment());

    /// <summary>Starts listening.</summary>
    /// <param name="endpoint">The endpoint; the folder of a socket must exist. A socket left there by a dead process is replaced.</param>
    /// <returns>The listener, owned by the caller. Disposing it removes the socket file.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: the endpoint cannot be used, or another process listens there.</exception>
    public static IWireListener Listen(WireEndpoint endpoint)
    {
        Check(endpoint);
        if (endpoint.Kind == WireEndpoint.Memory)
        {
            return new MemoryWireListener(endpoint.Address);
        }

        return SocketPath.IsWindows ? new PipeStreamListener(endpoint) : UnixSocketListener.Listen(endpoint, PathOf(endpoint));
    }

    /// <summary>Connects to who listens at an endpoint, who must be the user of this process.</summary>
    /// <param name="endpoint">The endpoint, of kind unix or pipe.</param>
    /// <param name="timeout">How long to wait for a place in the listener's queue: more than zero, at most 24 days.</param>
    /// <param name="cancellationToken">Ends the wait; no bytes have been written by then.</param>
    /// <returns>The wire, owned by the caller.</returns>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.BadEndpoint"/>: the endpoint cannot be used. <see cref="TransportFault.BadOptions"/>: the timeout is out of range.
    /// <see cref="TransportFault.ConnectFailed"/>: nobody listens, the system refused, the time ran out, or another user listens there.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Task<IWire> ConnectAsync(WireEndpoint endpoint, TimeSpan timeout, CancellationToken cancellationToken = default) =>
        ConnectAsync(endpoint, timeout, Array.Empty<int>(), cancellationToken);

    /// <summary>Connects to who listens at an endpoint.</summary>
    /// <param name="endpoint">The endpoint, of kind unix or pipe.</param>
    /// <param name="timeout">How long to wait for a place in the listener's queue: more than zero, at most 24 days.</param>
    /// <param name="otherUsers">User ids that may listen there besides the user of this process (Unix only).</param>
    /// <param name="cancellationToken">Ends the wait; no bytes have been written by then.</param>
    /// <returns>The wire, owned by the caller.</returns>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.BadEndpoint"/>: the endpoint cannot be used. <see cref="TransportFault.BadOptions"/>: the timeout is out of range.
    /// <see cref="TransportFault.ConnectFailed"/>: nobody listens, the system refused, the time ran out, or a user who is not allowed listens there.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Task<IWire> ConnectAsync(WireEndpoint endpoint, TimeSpan timeout, IReadOnlyCollection<int> otherUsers, CancellationToken cancellationToken = default) =>
        ConnectAsync(endpoint, timeout, otherUsers, new SocketPoller(), cancellationToken);

    /// <summary>As the other, sharing with other wires what waits while they are idle.</summary>
    internal static Task<IWire> ConnectAsync(WireEndpoint endpoint, TimeSpan timeout, IReadOnlyCollection<int> otherUsers, SocketPoller poller, CancellationToken cancellationToken)
    {
        Check(endpoint);
        if (timeout <= TimeSpan.Zero || timeout.TotalMilliseconds > int.MaxValue)
        {
            throw new TransportException(TransportFault.BadOptions, $"The connect timeout is {timeout}; allowed are more than zero and at most 24 days.");
        }

        if (endpoint.Kind == WireEndpoint.Memory)
        {
            throw new TransportException(TransportFault.BadEndpoint, $"{endpoint} lives inside one process: call Connect on its MemoryWireListener.");
        }

        return SocketPath.IsWindows
            ? PipeStreamListener.ConnectAsync(endpoint, timeout, cancellationToken)
            : UnixSocketConnector.ConnectAsync(endpoint, PathOf(endpoint), timeout, otherUsers, poller, cancellationToken);
    }

    private static string PathOf(WireEndpoint endpoint) => endpoint.Kind == WireEndpoint.Pipe ? SocketPath.OfPipe(endpoint.Address) : endpoint.Address;

    private static void Check(WireEndpoint endpoint)
    {
        _ = endpoint ?? throw new ArgumentNullException(nameof(endpoint));
        endpoint.Check();
        if (SocketPath.IsWindows && endpoint.Kind == WireEndpoint.Unix)
        {
            throw new TransportException(TransportFault.BadEndpoint, $"{endpoint}: endpoints of kind unix are for Unix; use pipe on Windows.");
        }
    }
}
