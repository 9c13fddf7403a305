using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Two links of this process, connected in memory: for tests of handlers, requests, streams and faults. They shake hands, frame,
/// acknowledge and close as over a socket; nothing is in the file system.</summary>
public sealed class LinkPair : IAsyncDisposable
{
    private const string Usual = "n1";

    private readonly LinkListener _listener;

    private LinkPair(LinkListener listener, Link main, Link worker)
    {
        _listener = listener;
        Main = main;
        Worker = worker;
    }

    /// <summary>Gets the main node's end: the one that listened. The pair's; start it with a router before anything is sent.</summary>
    public Link Main { get; }

    /// <summary>Gets the worker's end: the one that connected. The pair's; start it with a router before anything is sent.</summary>
    public Link Worker { get; }

    /// <summary>Makes two links.</summary>
    /// <param name="main">The options of the main node's end; null: all defaults. Copied.</param>
    /// <param name="worker">The options of the worker's end; null: all defaults. Copied. Its <see cref="LinkOptions.Node"/>, or <c>n1</c>, is
    /// also the main node's name for it.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>The pair, shaken hands, not started.</returns>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.HandshakeTimeout"/>, <see cref="TransportFault.Rejected"/>: the two ends'
    /// options contradict each other; <see cref="TransportFault.BadEndpoint"/>, <see cref="TransportFault.ConnectFailed"/>: the system gives
    /// no thread.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    public static async Task<LinkPair> CreateAsync(
        LinkOptions? main = null, LinkOptions? worker = null, CancellationToken cancellationToken = default)
    {
        var wires = new MemoryWireListener("pair");
        var listener = new LinkListener(wires, main);
        try
        {
            LinkTicket ticket = listener.Expect(worker?.Node ?? Usual);
            Link far = await LinkConnector.ConnectAsync(wires.Connect(), ticket.Secret, worker, cancellationToken).ConfigureAwait(false);
            return new LinkPair(listener, await ticket.WaitForLinkAsync(cancellationToken).ConfigureAwait(false), far);
        }
        catch
        {
            await listener.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Closes both links in order, unless they have ended.</summary>
    /// <returns>Completes when both have ended.</returns>
    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(Main.CloseAsync(), Worker.CloseAsync()).ConfigureAwait(false);
        await _listener.DisposeAsync().ConfigureAwait(false);
    }
}
