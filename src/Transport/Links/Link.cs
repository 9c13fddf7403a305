using System;
using System.Threading;
using System.Threading.Tasks;
using Transport.Packets;
using Transport.Receiving;
using Transport.Sending;
using Transport.Wires;

namespace Transport.Links;

/// <summary>A connection between two nodes, after the handshake: packets in both directions, each accounted for.</summary>
public sealed class Link : IAsyncDisposable
{
    /// <summary>Gets the peer.</summary>
    public LinkPeer Peer => throw new NotSupportedException();

    /// <summary>Gets the state.</summary>
    public LinkState State => throw new NotSupportedException();

    /// <summary>Gets the least log level that the peer wants to be sent; changes live.</summary>
    public int Level => throw new NotSupportedException();

    /// <summary>Gets or sets what is called when the peer changes the level; on the receive loop.</summary>
    public Action<int>? LevelChanged { get; set; }

    /// <summary>Gets the end; completes once, never faults.</summary>
    public Task<LinkEnd> Ended => throw new NotSupportedException();

    /// <summary>Gets the receipt so far.</summary>
    public LinkReceipt Receipt => throw new NotSupportedException();

    /// <summary>Connects and shakes hands; call <see cref="Start"/> to begin reading.</summary>
    public static Task<Link> ConnectAsync(WireEndpoint endpoint, LinkSecret secret, LinkOptions? options = null, CancellationToken cancellation = default) => throw new NotSupportedException();

    /// <summary>Shakes hands over a connected wire.</summary>
    public static Task<Link> ConnectAsync(IWire wire, LinkSecret secret, LinkOptions? options = null, CancellationToken cancellation = default) => throw new NotSupportedException();

    /// <summary>Begins reading; the router is frozen.</summary>
    public void Start(PacketRouter router) => throw new NotSupportedException();

    /// <summary>Never blocks; Queued, Full or Closed.</summary>
    public SendResult Send<T>(PacketType<T> type, T packet, Lane? lane = null) => throw new NotSupportedException();

    /// <summary>Never blocks; body must be one MessagePack value.</summary>
    public SendResult SendRaw(int type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal) => throw new NotSupportedException();

    /// <summary>Waits for room; Queued or Closed.</summary>
    public ValueTask<SendResult> SendAsync<T>(PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellation = default) => throw new NotSupportedException();

    /// <summary>Blocks the caller until there is room or the deadline has passed (then Full).</summary>
    public SendResult SendWait<T>(PacketType<T> type, T packet, TimeSpan deadline, Lane? lane = null) => throw new NotSupportedException();

    /// <summary>Asks; ends in the answer or a TransportException (RequestFailed, RequestCancelled, RequestTimeout, or the link's fault).</summary>
    public Task<TAnswer> RequestAsync<TRequest, TAnswer>(PacketType<TRequest> request, PacketType<TAnswer> answer, TRequest packet, TimeSpan? deadline = null, Lane lane = Lane.Urgent, CancellationToken cancellation = default) => throw new NotSupportedException();

    /// <summary>Main node: tells the peer the least level to send.</summary>
    public void SetLevel(int level) => throw new NotSupportedException();

    /// <summary>Sends what is queued, says Goodbye, waits for the peer's Ack and Goodbye.</summary>
    public Task<LinkEnd> CloseAsync(string reason = "", TimeSpan? deadline = null) => throw new NotSupportedException();

    /// <summary>Ends the link at once.</summary>
    public void Abort(string reason) => throw new NotSupportedException();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => throw new NotSupportedException();
}
