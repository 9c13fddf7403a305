using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Makes the link of the connecting side: connects, starts its threads, and shakes hands on what becomes its receive
/// thread.</summary>
internal static class LinkConnector
{
    /// <summary>Connects to an endpoint.</summary>
    /// <param name="endpoint">The endpoint.</param>
    /// <param name="secret">The secret that the listening side issued.</param>
    /// <param name="options">Limits and names. Copied.</param>
    /// <param name="tail">What keeps the packets that a sudden end of this process would lose; null: nothing.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="ArgumentException">An option cannot be used.</exception>
    /// <exception cref="TransportException">As <see cref="Link.ConnectAsync"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static async Task<Link> ConnectAsync(
        WireEndpoint endpoint, LinkSecret secret, LinkOptions options, TailMap? tail, CancellationToken cancellationToken)
    {
        LinkOptions copy = options.ForConnector();
        IWire wire = await WireFactory
            .ConnectAsync(endpoint, copy.ConnectTimeout, copy.AllowedUserIds, cancellationToken).ConfigureAwait(false);
        return await ShakeHandsAsync(wire, secret, copy, tail, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Shakes hands over a wire that is connected already.</summary>
    /// <param name="wire">The wire; owned by the link from now on, also if this fails.</param>
    /// <param name="secret">The secret that the listening side issued.</param>
    /// <param name="options">Limits and names; null: the defaults. Copied.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="TransportException">As <see cref="Link.ConnectAsync"/>, but never ConnectFailed for the endpoint.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static async Task<Link> ConnectAsync(
        IWire wire, LinkSecret secret, LinkOptions? options = null, CancellationToken cancellationToken = default)
    {
        LinkOptions checkedOptions;
        try
        {
            checkedOptions = (options ?? new LinkOptions()).ForConnector();
        }
        catch (ArgumentException)
        {
            wire.Dispose();
            throw;
        }

        return await ShakeHandsAsync(wire, secret, checkedOptions, null, cancellationToken).ConfigureAwait(false);
    }

    private static Task<Link> ShakeHandsAsync(
        IWire wire, LinkSecret secret, LinkOptions options, TailMap? tail, CancellationToken cancellationToken)
    {
        if (LinkThreads.TryStart() is not { } threads)
        {
            wire.TryDispose(options.OwnNode);
            throw new TransportException(TransportFault.ConnectFailed, $"Cannot connect: {Threads.NoMore}.");
        }

        var connected = new TaskCompletionSource<Link>(TaskCreationOptions.RunContinuationsAsynchronously);
        threads.Receive.Run(() =>
        {
            try
            {
                HandshakeResult result = ConnectingHandshake.Run(wire, secret, options, cancellationToken);
                connected.TrySetResult(CreateLink(wire, options, tail, result, threads));
            }
            catch (Exception e)
            {
                threads.End();
                _ = e is OperationCanceledException ? connected.TrySetCanceled(cancellationToken) : connected.TrySetException(e);
            }
        });
        return connected.Task;
    }

    private static Link CreateLink(
        IWire wire, LinkOptions options, TailMap? tail, HandshakeResult result, LinkThreads threads)
    {
        Heartbeat? heartbeat = null;
        try
        {
            SegmentPool pool = options.GetOrCreatePool();
            heartbeat = new Heartbeat(options, pool);
            return new Link(wire, options, pool, heartbeat, result, threads, isMain: false, tail);
        }
        catch
        {
            // A defect, or a clock that throws: the peer, which has a link already, must see its end.
            heartbeat?.Dispose();
            wire.TryAbort(options.OwnNode);
            wire.TryDispose(options.OwnNode);
            throw;
        }
    }
}
