using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Makes listeners and wires for endpoints. Any thread.</summary>
internal static class WireFactory
{
    /// <summary>Starts listening.</summary>
    /// <param name="endpoint">The endpoint; the folder of a socket must exist. A socket that an exited process left there is
    /// replaced.</param>
    /// <returns>The listener, owned by the caller. Disposing it removes the socket file.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadEndpoint"/>: the endpoint cannot be used, or another process
    /// listens there.</exception>
    public static IWireListener Listen(WireEndpoint endpoint)
    {
        Check(endpoint);
        if (endpoint.Kind == WireKind.Inherited)
        {
            throw new TransportException(
                TransportFault.BadEndpoint,
                $"Nobody can listen at {endpoint}: a main node gives such pipes to the workers that it starts.");
        }

        return SocketPath.IsWindows ? new PipeStreamListener(endpoint) : UnixSocketListener.Listen(endpoint, PathOf(endpoint));
    }

    /// <summary>Connects to the process that listens at an endpoint.</summary>
    /// <param name="endpoint">The endpoint.</param>
    /// <param name="timeout">How long to wait for a place in the listener's queue: more than zero, at most 24 days.</param>
    /// <param name="otherUsers">User ids that may listen there besides the user of this process (Unix only).</param>
    /// <param name="cancellationToken">Ends the wait; no bytes have been written by then.</param>
    /// <returns>The wire, owned by the caller.</returns>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.BadEndpoint"/>: the endpoint cannot be used. <see cref="TransportFault.ConnectFailed"/>: nobody listens,
    /// the system refused, the time ran out, or a user who is not allowed listens there.
    /// </exception>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is out of range.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Task<IWire> ConnectAsync(
        WireEndpoint endpoint, TimeSpan timeout, IReadOnlyCollection<int> otherUsers, CancellationToken cancellationToken = default)
    {
        Check(endpoint);
        if (timeout <= TimeSpan.Zero || timeout.TotalMilliseconds > int.MaxValue)
        {
            string allowed = "A connect timeout is more than zero and at most 24 days.";
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, allowed);
        }

        return endpoint.Kind == WireKind.Inherited ? Task.Run(() => InheritedEnds.TakeOver(endpoint), cancellationToken)
            : SocketPath.IsWindows
            ? PipeStreamListener.ConnectAsync(endpoint, timeout, cancellationToken)
            : UnixSocketConnector.ConnectAsync(endpoint, PathOf(endpoint), timeout, otherUsers, cancellationToken);
    }

    private static string PathOf(WireEndpoint endpoint) =>
        endpoint.Kind == WireKind.NamedPipe ? SocketPath.OfPipe(endpoint.Address) : endpoint.Address;

    private static void Check(WireEndpoint endpoint)
    {
        _ = endpoint ?? throw new ArgumentNullException(nameof(endpoint));
        endpoint.Check();
        if (SocketPath.IsWindows && endpoint.Kind == WireKind.UnixSocket)
        {
            throw new TransportException(
                TransportFault.BadEndpoint, $"{endpoint}: endpoints of kind unix are for Unix; use pipe on Windows.");
        }
    }
}
