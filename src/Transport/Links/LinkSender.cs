using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The ways in which a link sends: at once, blocking, awaiting. Each ends in <see cref="SendQueue.TrySend"/>.</summary>
internal sealed class LinkSender(SendQueue queue, LinkOptions options, OwnWaits waits, LinkCounters counters)
{
    /// <summary>Sends at once; a packet that finds no capacity is counted, and given up if the policy says so.</summary>
    public SendResult TrySend<TBody>(in TBody body, Lane lane, LanePolicy? policy)
        where TBody : struct, IPacketBody
    {
        SendResult result = queue.TrySend(body, lane, policy).Result;
        return result == SendResult.Full ? queue.RefusedFor(lane, body.Level, policy) : Counted(result);
    }

    /// <summary>Sends at once; a packet that finds no capacity is not counted.</summary>
    public SendOutcome TrySendUncounted<TBody>(in TBody body, Lane lane)
        where TBody : struct, IPacketBody => queue.TrySend(body, lane, LanePolicy.Refuse);

    /// <summary>Sends, blocking until there is capacity.</summary>
    /// <returns>Queued; Closed; Full if the time is over.</returns>
    public SendResult Send<TBody>(in TBody body, Lane lane, TimeSpan timeout)
        where TBody : struct, IPacketBody
    {
        SendOutcome answer = queue.TrySend(body, lane, LanePolicy.Refuse, measures: true);
        return answer.Result == SendResult.Full ? WaitAndSend(body, lane, timeout, answer.Needed)
            : Counted(answer.Result);
    }

    /// <summary>Sends what a program sends, waiting for capacity without blocking a thread.</summary>
    public ValueTask<SendResult> SendAsync<TBody>(in TBody body, Lane lane, CancellationToken cancellationToken)
        where TBody : struct, IPacketBody => ResultOf(SendAsync(body, lane, isCallers: true, cancellationToken));

    /// <summary>Gives the lane that a caller means.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not a lane for callers.</exception>
    public static Lane Choose(Lane? lane, Lane otherwise)
    {
        Lane chosen = lane ?? otherwise;
        return chosen is >= Lane.Urgent and <= Lane.Bulk
            ? chosen
            : throw new ArgumentOutOfRangeException(nameof(lane), chosen, "Callers may use the lanes Urgent, Normal and Bulk.");
    }

    /// <summary>Gives the result alone.</summary>
    public static ValueTask<SendResult> ResultOf(ValueTask<SendOutcome> sending) =>
        sending.IsCompletedSuccessfully ? new ValueTask<SendResult>(sending.Result.Result) : AwaitAsync(sending);

    /// <summary>Sends, waiting for capacity without blocking a thread.</summary>
    /// <param name="body">The packet.</param>
    /// <param name="lane">The lane.</param>
    /// <param name="isCallers">Whether a program sends it: a wait that began in a handler then has an end.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public ValueTask<SendOutcome> SendAsync<TBody>(in TBody body, Lane lane, bool isCallers, CancellationToken cancellationToken)
        where TBody : struct, IPacketBody
    {
        SendOutcome answer = queue.TrySend(body, lane, LanePolicy.Refuse, measures: true);
        return answer.Result == SendResult.Full
            ? WaitAndSendAsync(body, lane, isCallers, answer.Needed, cancellationToken)
            : new ValueTask<SendOutcome>(Counted(answer, isCallers));
    }

    /// <summary>Queues bytes without waiting, and gives the packet's ordinal in its lane. A packet that finds no capacity is not
    /// counted.</summary>
    public unsafe SendResult TrySendCounted(ushort type, ReadOnlySpan<byte> body, Lane lane, out long ordinal)
    {
        fixed (byte* bytes = body)
        {
            SendOutcome answer = TrySendUncounted(new PinnedBody(type, bytes, body.Length), lane);
            ordinal = answer.Ordinal;
            return answer.Result;
        }
    }

    /// <summary>Queues bytes, waiting for capacity, and gives the packet's ordinal in its lane.</summary>
    /// <returns>The packets of the lane up to and including this one; 0: the link is closed.</returns>
    public async ValueTask<long> SendCountedAsync(ushort type, ReadOnlyMemory<byte> body, Lane lane)
    {
        var packet = new MemoryBody(type, body);
        SendOutcome answer = await SendAsync(packet, lane, isCallers: false, CancellationToken.None).ConfigureAwait(false);
        return answer.Result == SendResult.Queued ? answer.Ordinal : 0;
    }

    private static async ValueTask<SendResult> AwaitAsync(ValueTask<SendOutcome> sending) => (await sending.ConfigureAwait(false)).Result;

    private SendResult Counted(SendResult result)
    {
        if (result == SendResult.Closed)
        {
            counters.AnsweredClosed();
        }

        return result;
    }

    /// <summary>Counts a caller's packet that came too late; the link's own are no loss.</summary>
    private SendOutcome Counted(SendOutcome answer, bool isCallers)
    {
        if (isCallers)
        {
            Counted(answer.Result);
        }

        return answer;
    }

    private CapacityWait<TBody> Enter<TBody>(in TBody body, Lane lane, bool isCallers, bool isEndless, long needed)
        where TBody : struct, IPacketBody
    {
        HandlerWatch? watch = isCallers && waits.FindOwnHandler() is { } handler
            ? new HandlerWatch(handler, options.TimeProvider, options.Heartbeat.SilenceTimeout, queue, lane)
            : null;
        return new CapacityWait<TBody>(queue, body, lane, needed, watch, isEndless, waits, counters);
    }

    private SendResult WaitAndSend<TBody>(in TBody body, Lane lane, TimeSpan timeout, long needed)
        where TBody : struct, IPacketBody
    {
        TimeSpan limit = timeout == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : timeout < TimeSpan.Zero ? TimeSpan.Zero : timeout;
        using CapacityWait<TBody> wait = Enter(body, lane, isCallers: true, limit == TimeSpan.MaxValue, needed);
        while (true)
        {
            SendResult result = wait.Try().Result;
            if (result != SendResult.Full)
            {
                return Counted(result);
            }

            TimeSpan left = limit - wait.Elapsed;
            if (left <= TimeSpan.Zero)
            {
                return queue.RefusedFor(lane, PacketLevel.None, LanePolicy.Refuse);
            }

            // The heartbeat comes on a thread of the pool, and handlers that block may have taken all of them: so this does not wait for
            // the heartbeat alone.
            wait.Place.Wait(wait.IsWatched && left > options.Heartbeat.SilenceTimeout ? options.Heartbeat.SilenceTimeout : left);
        }
    }

    private async ValueTask<SendOutcome> WaitAndSendAsync<TBody>(
        TBody body, Lane lane, bool isCallers, long needed, CancellationToken cancellationToken)
        where TBody : struct, IPacketBody
    {
        using CapacityWait<TBody> wait = Enter(body, lane, isCallers, isCallers, needed);

        // Disposed before the wait is: nothing may signal the place when another sender has it.
        using CancellationTokenRegistration registration = cancellationToken.Register(static w => ((Waiter)w!).Signal(), wait.Place);
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            SendOutcome answer = wait.Try();
            if (answer.Result != SendResult.Full)
            {
                return Counted(answer, isCallers);
            }

            await wait.Place.WaitAsync().ConfigureAwait(false);
        }
    }
}
