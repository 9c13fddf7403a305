using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <content>Sending: every way in ends in the queue's one TrySend.</content>
public sealed partial class Link
{
    /// <summary>Queues a packet. Never blocks: the packet is serialized on the caller's thread into the lane's open segment, and the caller may reuse it at once.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="lane">The lane; null: the type's own.</param>
    /// <param name="policy">What to do where there is no room; null: the lane's own policy. A caller that lets go of what finds no room, as a logger does, says Drop: then it is counted and the peer is told.</param>
    /// <returns>
    /// Queued, Full (no room: see <see cref="LinkOptions.MaxQueuedBytes"/> and the lane's policy) or Closed. Look at it: each Full is a
    /// packet that is not sent, and counts as refused or dropped.
    /// </returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: larger than the peer takes.</exception>
    /// <exception cref="InvalidOperationException">The formatter wrote nothing, or the call comes from inside a formatter of this link. What a formatter throws itself comes out as it is; the lane is as before.</exception>
    public SendResult TrySend<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null) =>
        _sender.TrySend(new TypedBody<T>(NotNull(type), packet), Choose(lane, type.Lane), policy);

    /// <summary>Queues a packet whose type <see cref="LinkOptions.Packets"/> knows by its .NET type.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="packet">The packet.</param>
    /// <param name="lane">The lane; null: the type's own.</param>
    /// <returns>Queued, Full or Closed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: the .NET type is not registered; <see cref="TransportFault.PacketTooLarge"/>.</exception>
    public SendResult TrySend<T>(T packet, Lane? lane = null)
    {
        PacketRegistry packets = _options.Packets ?? throw new TransportException(TransportFault.BadOptions, "No packet types are registered: set LinkOptions.Packets, or name the type in the call.");
        return TrySend(packets.Get<T>(), packet, lane);
    }

    /// <summary>Queues a packet that is bytes already. Never blocks; the bytes are copied before the call returns.</summary>
    /// <param name="type">The packet type, 256 to 65535.</param>
    /// <param name="body">One MessagePack value. It is not looked over here; the peer ends the link where it is none.</param>
    /// <param name="lane">The lane.</param>
    /// <returns>Queued, Full or Closed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>; <see cref="TransportFault.BadOptions"/>: not a type for callers, or an empty body.</exception>
    public SendResult TrySendRaw(int type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal)
    {
        CheckRaw(type, body);
        Lane chosen = Choose(lane, lane);
        unsafe
        {
            fixed (byte* bytes = body)
            {
                return _sender.TrySend(new PinnedBody((ushort)type, bytes, body.Length), chosen, policy: null);
            }
        }
    }

    /// <summary>Queues a packet, waiting for room without blocking a thread.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet; must not change until the task has completed.</param>
    /// <param name="lane">The lane; null: the type's own.</param>
    /// <param name="cancellation">Ends the wait for room; once bytes are queued it has no effect.</param>
    /// <returns>Queued or Closed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>; <see cref="TransportFault.HandlerBlocked"/>, see the remarks.</exception>
    /// <exception cref="OperationCanceledException">Cancelled while waiting: the packet was not taken.</exception>
    /// <remarks>In a handler of the same link the wait has an end: while it lasts nothing is read, and a peer that does the same waits for this side. After <see cref="LinkOptions.SilenceTimeout"/> in one handler it throws.</remarks>
    public ValueTask<SendResult> SendAsync<T>(PacketType<T> type, T packet, Lane? lane = null, CancellationToken cancellation = default)
    {
        var body = new TypedBody<T>(NotNull(type), packet);
        ValueTask<SendAnswer> sending = _sender.SendAsync(body, Choose(lane, type.Lane), isCallers: true, cancellation);
        return sending.IsCompletedSuccessfully ? new ValueTask<SendResult>(sending.Result.Result) : ResultOfAsync(sending);
    }

    /// <summary>Queues a packet, blocking the calling thread until there is room: for callers that must not lose and cannot await. The time is counted (<c>LinkCounters.MsWaitedForRoom</c>).</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="deadline">How long to wait at most; <see cref="Timeout.InfiniteTimeSpan"/>: no limit. Any other negative time counts as
    /// zero.</param>
    /// <param name="lane">The lane; null: the type's own.</param>
    /// <returns>Queued; Closed; Full if the deadline passed: the packet was not taken, and <see cref="LinkReceipt.Refused"/> counts it.
    /// </returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>; <see cref="TransportFault.HandlerBlocked"/>, see the remarks.</exception>
    /// <remarks>Not from a handler of the same link: while it waits, nothing is read, and a peer that does the same waits for this side. There it throws after <see cref="LinkOptions.SilenceTimeout"/> in one handler, where the deadline is not nearer.</remarks>
    public SendResult SendWait<T>(PacketType<T> type, T packet, TimeSpan deadline, Lane? lane = null) =>
        _sender.Send(new TypedBody<T>(NotNull(type), packet), Choose(lane, type.Lane), deadline);

    /// <summary>Asks the peer and waits for its answer.</summary>
    /// <typeparam name="TRequest">The question.</typeparam>
    /// <typeparam name="TAnswer">The answer.</typeparam>
    /// <param name="request">The question's type.</param>
    /// <param name="answer">The answer's type; only its formatter is used.</param>
    /// <param name="packet">The question.</param>
    /// <param name="deadline">How long to wait, told to the peer; null or <see cref="Timeout.InfiniteTimeSpan"/>: as long as the link
    /// lives. Any other negative time counts as zero.</param>
    /// <param name="lane">The lane.</param>
    /// <param name="cancellation">Gives up and tells the peer.</param>
    /// <returns>The answer.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.RequestFailed"/> (the peer's message), <see cref="TransportFault.RequestCancelled"/>, <see cref="TransportFault.RequestTimeout"/>, <see cref="TransportFault.PacketMalformed"/> (the answer cannot be read), or the link's own fault where it ended first.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellation"/> was cancelled.</exception>
    /// <remarks>Not awaited inside a packet handler of the same link: its answer would wait behind that handler.</remarks>
    public Task<TAnswer> RequestAsync<TRequest, TAnswer>(
        PacketType<TRequest> request,
        PacketType<TAnswer> answer,
        TRequest packet,
        TimeSpan? deadline = null,
        Lane lane = Lane.Urgent,
        CancellationToken cancellation = default)
    {
        _queue.ThrowIfInsideFormatter();
        Lane chosen = Choose(lane, lane);
        return _waits.NoteAsync(
            _requests.AskAsync(NotNull(request), NotNull(answer), packet, deadline, chosen, cancellation), OwnWaits.Call.Request);
    }

    /// <summary>Queues bytes, waiting for room; for the link's own packets.</summary>
    internal ValueTask<SendResult> SendRawAsync(ushort type, ReadOnlyMemory<byte> body, Lane lane, CancellationToken cancellation) =>
        ResultOfAsync(_sender.SendAsync(new MemoryBody(type, body), lane, isCallers: false, cancellation));

    /// <summary>Queues bytes without waiting, and gives the packet's ordinal in its lane. A packet that finds no room is not counted.</summary>
    internal unsafe SendResult TrySendCounted(ushort type, ReadOnlySpan<byte> body, Lane lane, out long ordinal)
    {
        fixed (byte* bytes = body)
        {
            SendAnswer answer = _sender.TrySendUncounted(new PinnedBody(type, bytes, body.Length), lane);
            ordinal = answer.Ordinal;
            return answer.Result;
        }
    }

    /// <summary>Queues bytes, waiting for room, and gives the packet's ordinal in its lane.</summary>
    /// <returns>The packets of the lane up to and including this one; 0: the link is closed.</returns>
    internal async ValueTask<long> SendCountedAsync(ushort type, ReadOnlyMemory<byte> body, Lane lane)
    {
        var packet = new MemoryBody(type, body);
        SendAnswer answer = await _sender.SendAsync(packet, lane, isCallers: false, CancellationToken.None).ConfigureAwait(false);
        return answer.Result == SendResult.Queued ? answer.Ordinal : 0;
    }

    /// <summary>Refuses what is no packet of a caller's.</summary>
    internal static void CheckRaw(int type, ReadOnlySpan<byte> body)
    {
        if (type is < FrameHeader.FirstFreeType or > ushort.MaxValue || RequestTypes.IsOne(type) || TableTypes.IsOne(type) || body.IsEmpty)
        {
            throw new TransportException(TransportFault.BadOptions, $"Packet type {type} with a body of {body.Length} bytes: allowed are {FrameHeader.FirstFreeType} to {ushort.MaxValue} but {TableTypes.Strings} to {TableTypes.Types} and {RequestTypes.Request} to {RequestTypes.Cancel}, and at least 1 byte.");
        }
    }

    private static Lane Choose(Lane? lane, Lane otherwise)
    {
        Lane chosen = lane ?? otherwise;
        return chosen is >= Lane.Urgent and <= Lane.Bulk
            ? chosen
            : throw new TransportException(TransportFault.BadOptions, $"Lane {chosen}: callers may use Urgent, Normal and Bulk.");
    }

    private static T NotNull<T>(T? value)
        where T : class => value ?? throw new ArgumentNullException(nameof(value));

    private static async ValueTask<SendResult> ResultOfAsync(ValueTask<SendAnswer> sending) =>
        (await sending.ConfigureAwait(false)).Result;
}
