using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using Transport.Packets;
using Transport.Packets.Tables;
using Transport.Sending;

namespace Transport.Links;

/// <content>Sending: every way in ends in the queue's one TrySend.</content>
public sealed partial class Link
{
    private delegate SendResult TrySend(out long needed);

    /// <summary>Queues a packet. Never blocks: the packet is serialized on the caller's thread into the lane's open segment, and the caller may reuse it at once.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="lane">The lane; null: the type's own.</param>
    /// <param name="policy">What to do where there is no room; null: the lane's own policy. A caller that lets go of what finds no room, as a logger does, says Drop: then it is counted and the peer is told. Refuse and Drop are for any lane: a packet that is sent with them is not spilled. Spill is a policy of lanes.</param>
    /// <returns>Queued, Full (no room: see <see cref="LinkOptions.MaxQueuedBytes"/> and the lane's policy) or Closed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: larger than the peer takes.</exception>
    /// <exception cref="InvalidOperationException">The formatter wrote nothing, or the call comes from inside a formatter of this link. What a formatter throws itself comes out as it is; the lane is as before.</exception>
    public SendResult Send<T>(PacketType<T> type, T packet, Lane? lane = null, LanePolicy? policy = null) => SendOrRefuse(type, packet, lane, policy, ring: true);

    /// <summary>As <see cref="Send{T}(PacketType{T}, T, Lane?, LanePolicy?)"/>, and where the link is idle the calling thread writes the packet itself, if that takes no waiting: the shortest way to the peer.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="lane">The lane; null: the type's own.</param>
    /// <returns>Queued, Full or Closed, as Send; Queued does not tell who writes it.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>.</exception>
    /// <exception cref="InvalidOperationException">As for Send.</exception>
    /// <remarks>For questions and answers that somebody waits for. It costs the caller a system call, about 2 µs, where Send costs some 0.1; and many such packets in a row cost a system call each, which Send's go out in one.</remarks>
    public SendResult SendNow<T>(PacketType<T> type, T packet, Lane? lane = null)
    {
        SendResult result = SendOrRefuse(type, packet, lane, policy: null, ring: false);
        if (result != SendResult.Full)
        {
            _sendLoop.WriteHere();
        }

        return result;
    }

    /// <summary>Queues a packet whose type <see cref="LinkOptions.Packets"/> knows by its .NET type.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="packet">The packet.</param>
    /// <param name="lane">The lane; null: the type's own.</param>
    /// <returns>Queued, Full or Closed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>: the .NET type is not registered; <see cref="TransportFault.PacketTooLarge"/>.</exception>
    public SendResult Send<T>(T packet, Lane? lane = null)
    {
        PacketRegistry packets = _options.Packets ?? throw new TransportException(TransportFault.BadOptions, "No packet types are registered: set LinkOptions.Packets, or name the type in the call.");
        return Send(packets.Get<T>(), packet, lane);
    }

    /// <summary>Queues a packet that is bytes already. Never blocks; the bytes are copied before the call returns.</summary>
    /// <param name="type">The packet type, 256 to 65535.</param>
    /// <param name="body">One MessagePack value. It is not looked over here; the peer ends the link where it is none.</param>
    /// <param name="lane">The lane.</param>
    /// <returns>Queued, Full or Closed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>; <see cref="TransportFault.BadOptions"/>: not a type for callers, or an empty body.</exception>
    public SendResult SendRaw(int type, ReadOnlySpan<byte> body, Lane lane = Lane.Normal)
    {
        CheckRaw(type, body);
        Lane chosen = Choose(lane, lane);
        if (SpillOf(chosen) is { } spill)
        {
            return spill.SendRaw((ushort)type, body, chosen);
        }

        SendResult result = _queue.TrySendRaw((ushort)type, body, chosen, out _);
        if (result == SendResult.Full)
        {
            _queue.RefusedFor(chosen, DropLedger.NoLevel, policy: null);
        }

        return result;
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
        Lane chosen = Choose(lane, NotNull(type).Lane);
        SendResult result = _queue.TrySend(type, packet, chosen, out long needed);
        return result == SendResult.Full
            ? WaitForRoomAsync((out long more) => _queue.TrySend(type, packet, chosen, out more), chosen, needed, WatchOwnHandler(), cancellation)
            : new ValueTask<SendResult>(result);
    }

    /// <summary>Queues a packet, blocking the calling thread until there is room: for callers that must not lose and cannot await. The time is counted (<c>LinkCounters.MsWaitedForRoom</c>).</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="deadline">How long to wait at most.</param>
    /// <param name="lane">The lane; null: the type's own.</param>
    /// <returns>Queued; Full where the deadline passed (the packet was not taken, and is not counted as dropped); Closed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>; <see cref="TransportFault.HandlerBlocked"/>, see the remarks.</exception>
    /// <remarks>Not from a handler of the same link: while it waits, nothing is read, and a peer that does the same waits for this side. There it throws after <see cref="LinkOptions.SilenceTimeout"/> in one handler, where the deadline is not nearer.</remarks>
    public SendResult SendWait<T>(PacketType<T> type, T packet, TimeSpan deadline, Lane? lane = null)
    {
        Lane chosen = Choose(lane, NotNull(type).Lane);
        SendResult result = _queue.TrySend(type, packet, chosen, out long needed);
        return result == SendResult.Full ? WaitForRoom(type, packet, chosen, deadline, needed) : result;
    }

    /// <summary>Asks the peer and waits for its answer.</summary>
    /// <typeparam name="TRequest">The question.</typeparam>
    /// <typeparam name="TAnswer">The answer.</typeparam>
    /// <param name="request">The question's type.</param>
    /// <param name="answer">The answer's type; only its formatter is used.</param>
    /// <param name="packet">The question.</param>
    /// <param name="deadline">How long to wait, told to the peer; null: as long as the link lives.</param>
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
        CancellationToken cancellation = default) =>
        NoteOwnWait(_requests.AskAsync(NotNull(request), NotNull(answer), packet, deadline, Choose(lane, lane), cancellation), OwnRequest);

    /// <summary>Queues bytes, waiting for room; for the link's own packets.</summary>
    internal ValueTask<SendResult> SendRawAsync(ushort type, ReadOnlyMemory<byte> body, Lane lane, CancellationToken cancellation)
    {
        SendResult result = _queue.TrySendRaw(type, body.Span, lane, out long needed);
        return result == SendResult.Full
            ? WaitForRoomAsync((out long more) => _queue.TrySendRaw(type, body.Span, lane, out more), lane, needed, null, cancellation)
            : new ValueTask<SendResult>(result);
    }

    /// <summary>Refuses what is no packet of a caller's.</summary>
    internal static void CheckRaw(int type, ReadOnlySpan<byte> body)
    {
        if (type is < FrameHeader.FirstFreeType or > ushort.MaxValue || RequestTypes.IsOne(type) || TableTypes.IsOne(type) || body.IsEmpty)
        {
            throw new TransportException(TransportFault.BadOptions, $"Packet type {type} with a body of {body.Length} bytes: allowed are {FrameHeader.FirstFreeType} to {ushort.MaxValue} but {TableTypes.Strings}, {TableTypes.Maps} and {RequestTypes.Request} to {RequestTypes.Cancel}, and at least 1 byte.");
        }
    }

    private static Lane Choose(Lane? lane, Lane otherwise)
    {
        Lane chosen = lane ?? otherwise;
        return chosen is >= Lane.Urgent and <= Lane.Bulk
            ? chosen
            : throw new TransportException(TransportFault.BadOptions, $"Lane {chosen}: callers may use Urgent, Normal and Bulk.");
    }

    private static int LevelOf<T>(PacketType<T> type, T packet) => type.Level?.Invoke(packet) ?? DropLedger.NoLevel;

    private static T NotNull<T>(T? value)
        where T : class => value ?? throw new ArgumentNullException(nameof(value));

    /// <summary>Queues a packet; one that finds no room is counted, and given up where the lane's policy says so.</summary>
    private SendResult SendOrRefuse<T>(PacketType<T> type, T packet, Lane? lane, LanePolicy? policy, bool ring)
    {
        Lane chosen = Choose(lane, NotNull(type).Lane);
        SendResult result = _queue.TrySend(type, packet, chosen, out _, policy, ring);
        return result == SendResult.Full ? OnFull(type, packet, chosen, policy) : result;
    }

    /// <summary>What the lane's policy makes of a packet that found no room.</summary>
    private SendResult OnFull<T>(PacketType<T> type, T packet, Lane lane, LanePolicy? policy)
    {
        if ((policy ?? _queue.PolicyOf(lane)) == LanePolicy.Spill)
        {
            return SpillOf(lane) is { } spill
                ? spill.Send(type, packet, lane)
                : throw new TransportException(TransportFault.BadOptions, $"{nameof(LanePolicy)}.{nameof(LanePolicy.Spill)} on lane {lane}: it is a policy of lanes, for the links of a SpillingSender (Transport.Journal).");
        }

        _queue.RefusedFor(lane, LevelOf(type, packet), policy);
        return SendResult.Full;
    }

    private static TimeSpan Since(long start) => TimeSpan.FromSeconds((Stopwatch.GetTimestamp() - start) / (double)Stopwatch.Frequency);

    /// <summary>Watches a wait that begins in a handler of this link, or in what one started; null for any other.</summary>
    private HandlerWatch? WatchOwnHandler() => _inReceiveLoop.Value && _receiveLoop is { } loop ? new HandlerWatch(loop, _options) : null;

    /// <summary>Waits, and tries again once there is room for what the packet needs: a large one would else be serialized anew at each segment that was written.</summary>
    private SendResult WaitForRoom<T>(PacketType<T> type, T packet, Lane lane, TimeSpan deadline, long needed)
    {
        long start = Stopwatch.GetTimestamp();
        HandlerWatch? watch = WatchOwnHandler();
        _queue.Room.Enter();
        CountOwnSend(watch, 1);
        try
        {
            while (true)
            {
                long seen = _queue.Room.Version;
                if (_queue.MayTake(needed, lane))
                {
                    SendResult result = _queue.TrySend(type, packet, lane, out needed);
                    if (result != SendResult.Full)
                    {
                        return result;
                    }
                }

                // The pulse comes on a thread of the pool, and handlers that block may have taken all of them: so it is not left to the pulse alone to end this.
                watch?.ThrowIfStuck();
                TimeSpan left = deadline - Since(start);
                if (!_queue.Room.Wait(seen, watch is not null && left > _options.SilenceTimeout ? _options.SilenceTimeout : left) && Since(start) >= deadline)
                {
                    _counters.AnsweredFull();
                    return SendResult.Full;
                }
            }
        }
        finally
        {
            CountOwnSend(watch, -1);
            _queue.Room.Leave();
            _counters.Waited(Stopwatch.GetTimestamp() - start);
        }
    }

    private async ValueTask<SendResult> WaitForRoomAsync(TrySend trySend, Lane lane, long needed, HandlerWatch? watch, CancellationToken cancellation)
    {
        long start = Stopwatch.GetTimestamp();
        var cancelled = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = cancellation.Register(static state => ((TaskCompletionSource<bool>)state!).TrySetResult(true), cancelled);
        _queue.Room.Enter();
        CountOwnSend(watch, 1);
        try
        {
            while (true)
            {
                cancellation.ThrowIfCancellationRequested();
                long seen = _queue.Room.Version;
                if (_queue.MayTake(needed, lane))
                {
                    SendResult result = trySend(out needed);
                    if (result != SendResult.Full)
                    {
                        return result;
                    }
                }

                watch?.ThrowIfStuck();
                await Task.WhenAny(_queue.Room.WaitAsync(seen), cancelled.Task).ConfigureAwait(false);
            }
        }
        finally
        {
            CountOwnSend(watch, -1);
            _queue.Room.Leave();
            _counters.Waited(Stopwatch.GetTimestamp() - start);
        }
    }
}
