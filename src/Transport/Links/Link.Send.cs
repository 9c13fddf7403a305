using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <content>Sending: every way in ends in the queue's one TrySend.</content>
public sealed partial class Link
{
    /// <inheritdoc/>
    /// <remarks>
    /// <para>The packet is serialized on the caller's thread into the lane's open segment. <see cref="LinkOptions.MaxQueuedBytes"/> and the
    /// lane's policy decide whether there is capacity.</para>
    /// <para>A caller that may lose packets, such as a logger, passes Drop: the packet is then counted, and the count reported to the
    /// peer.</para>
    /// </remarks>
    public SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null) =>
        typeof(T).IsValueType ? _sender.TrySend(Body(type, packet), LinkSender.Choose(lane, type.Lane), policy)
            : _sender.TrySend(ObjectBody.Of(type, packet), LinkSender.Choose(lane, type.Lane), policy);

    /// <inheritdoc/>
    public SendResult TrySendRaw(ushort type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal)
    {
        PacketType.CheckRaw(type, body);
        Lane chosen = LinkSender.Choose(lane, lane);
        unsafe
        {
            fixed (byte* bytes = body)
            {
                return _sender.TrySend(new PinnedBody(type, bytes, body.Length), chosen, policy: null);
            }
        }
    }

    /// <inheritdoc/>
    /// <remarks>In a handler of the same link the wait has an end: while it lasts nothing is read, and a peer that does the same waits for
    /// this side. After <see cref="HeartbeatOptions.SilenceTimeout"/> in one handler it throws.</remarks>
    public ValueTask<SendResult> SendAsync<T>(
        PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellationToken = default) =>
        typeof(T).IsValueType ? _sender.SendAsync(Body(type, packet), LinkSender.Choose(lane, type.Lane), cancellationToken)
            : _sender.SendAsync(ObjectBody.Of(type, packet), LinkSender.Choose(lane, type.Lane), cancellationToken);

    /// <inheritdoc/>
    public ValueTask<SendResult> SendRawAsync(
        ushort type, ReadOnlyMemory<byte> body, Lane lane = Lane.Normal, CancellationToken cancellationToken = default)
    {
        PacketType.CheckRaw(type, body.Span);
        return _sender.SendAsync(new MemoryBody(type, body), LinkSender.Choose(lane, lane), cancellationToken);
    }

    /// <inheritdoc/>
    /// <remarks>The time that it waits is counted (<c>LinkCounters.TimeWaitedForCapacity</c>), and a packet that was not taken in time in
    /// <see cref="LinkReceipt.Refused"/>. Do not call it in a handler of the same link: as for <see cref="SendAsync{T}"/>.</remarks>
    public SendResult Send<T>(PacketType<T> type, T packet, TimeSpan timeout, Lane? lane = null) =>
        typeof(T).IsValueType ? _sender.Send(Body(type, packet), LinkSender.Choose(lane, type.Lane), timeout)
            : _sender.Send(ObjectBody.Of(type, packet), LinkSender.Choose(lane, type.Lane), timeout);

    /// <inheritdoc/>
    public SendResult SendRaw(ushort type, ReadOnlySpan<byte> body, TimeSpan timeout, Lane lane = Lane.Normal)
    {
        PacketType.CheckRaw(type, body);
        Lane chosen = LinkSender.Choose(lane, lane);
        unsafe
        {
            fixed (byte* bytes = body)
            {
                return _sender.Send(new PinnedBody(type, bytes, body.Length), chosen, timeout);
            }
        }
    }

    /// <inheritdoc/>
    /// <remarks>The request may be reused at once. Do not await it inside a packet handler of the same link: its response would wait behind
    /// that handler.</remarks>
    public Task<TResponse> RequestAsync<TRequest, TResponse>(
        PacketType<TRequest> requestType, PacketType<TResponse> responseType, TRequest request, TimeSpan? timeout = null,
        Lane lane = Lane.Normal, CancellationToken cancellationToken = default) => NoteAsync(RequestsIn(lane).AskAsync(
            requestType, RequestPackets.Body(requestType, request, responseType), responseType, timeout, lane, cancellationToken));

    /// <inheritdoc/>
    public Task<TResponse> RequestAsync<TRequest, TResponse, TProgress>(
        PacketType<TRequest> requestType, PacketType<TResponse> responseType, PacketType<TProgress> progressType, TRequest request,
        IProgress<TProgress> progress, TimeSpan? timeout = null, Lane lane = Lane.Normal, CancellationToken cancellationToken = default) =>
        NoteAsync(RequestsIn(lane).AskAsync(
            requestType, RequestPackets.Body(requestType, request, responseType, progressType, progress), responseType, progressType, progress,
            timeout, lane, cancellationToken));

    /// <inheritdoc/>
    /// <remarks>The request may be reused at once. Do not read it inside a packet handler of the same link.</remarks>
    public IAsyncEnumerable<TItem> RequestStreamAsync<TRequest, TItem>(
        PacketType<TRequest> requestType, PacketType<TItem> itemType, TRequest request, TimeSpan? timeout = null,
        Lane lane = Lane.Normal, CancellationToken cancellationToken = default) => RequestsIn(lane).AskEachAsync(
            requestType, RequestPackets.Body(requestType, request, itemType), itemType, timeout, lane, cancellationToken);

    /// <summary>Gets what sends, for a lane that spills: it counts its packets itself.</summary>
    internal LinkSender Sender => _sender;

    /// <summary>Waits until what was queued is acknowledged (<see cref="LinkExtensions.WaitForAcknowledgedAsync"/>).</summary>
    internal Task<bool> WaitUntilAcknowledgedAsync(CancellationToken cancellationToken)
    {
        _queue.ThrowIfInsideFormatter();
        Task<bool> waiting = _ackWaits.WaitAsync(cancellationToken);
        _queue.WriteNow();
        return _waits.NoteAsync(waiting, OwnWaits.Call.Acknowledgment);
    }

    /// <summary>Gets where the memory of this link comes from.</summary>
    internal SegmentPool Pool => _queue.Pool;

    internal ValueTask<SendResult> SendAsync(StreamBody body, Lane lane, CancellationToken cancellationToken) =>
        _sender.SendAsync(body, LinkSender.Choose(lane, lane), cancellationToken);

    ValueTask<SendResult> IRequestLink.SendRawAsync(
        ushort type, ReadOnlyMemory<byte> body, Lane lane, CancellationToken cancellationToken) =>
        LinkSender.ResultOf(_sender.SendAsync(new MemoryBody(type, body), lane, isCallers: false, cancellationToken));

    SendResult IRequestLink.TrySendRaw(ushort type, ReadOnlyMemory<byte> body, Lane lane) =>
        _sender.TrySendUncounted(new MemoryBody(type, body), lane).Result;

    Task<bool> IRequestLink.NoteAsync(Task<bool> waiting) => _waits.NoteAsync(waiting, OwnWaits.Call.Request);

    /// <summary>Gives what asks the peer.</summary>
    /// <param name="lane">The lane of the request.</param>
    /// <exception cref="InvalidOperationException">A formatter of this link calls.</exception>
    /// <exception cref="ArgumentOutOfRangeException">Not a lane for callers.</exception>
    internal Requests RequestsIn(Lane lane)
    {
        _queue.ThrowIfInsideFormatter();
        _ = LinkSender.Choose(lane, lane);
        return _requests;
    }

    /// <summary>Counts the wait for a response, if it was begun in a handler of this link.</summary>
    internal Task<T> NoteAsync<T>(Task<T> waiting) => _waits.NoteAsync(waiting, OwnWaits.Call.Request);

    private static TypedBody<T> Body<T>(PacketType<T> type, T packet) =>
        new(ArgumentGuard.NotNull(type, nameof(type)), ArgumentGuard.NotNull(packet, nameof(packet)));
}
