using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace Transport;

/// <summary>Everything that waits to be written on one link: four lanes, one byte budget, one reader (the send pump).</summary>
/// <remarks>Callers on any thread serialize into their lane's open segment under its lock. Nothing here waits for the wire.</remarks>
internal sealed class SendQueue
{
    private readonly LaneQueue[] _lanes;   // 1 to 3: see LaneOf
    private readonly SegmentPool _pool;
    private readonly ByteBudget _budget;
    private readonly Admission _admission;
    private readonly LinkCounters _counters;
    private readonly FullAnswerEvent _fullAnswers = new();
    private readonly SendSignal _signal;
    private readonly SendEnd _end = new();
    private readonly long _maxBody;
    private long _packetsWritten;          // written by the send pump, read by all: a count by itself

    /// <summary>Initializes a new instance of the <see cref="SendQueue"/> class.</summary>
    /// <param name="pool">Gives it its segments.</param>
    /// <param name="setup">Limits, policies, and what belongs to each lane.</param>
    /// <param name="counters">Counts writes and refusals.</param>
    /// <param name="signal">Wakes the send pump.</param>
    public SendQueue(SegmentPool pool, SendSetup setup, LinkCounters counters, SendSignal signal)
    {
        _pool = pool;
        _budget = setup.Budget;
        Capacity = new WaitingLine(_budget);
        _admission = new Admission(_budget, Capacity, _end);
        _counters = counters;
        _signal = signal;
        _maxBody = setup.MaxBody;
        Control = new ControlLane(pool, _end, signal, setup.Misses);
        _lanes = [MakeLane(Lane.Urgent, setup.Urgent), MakeLane(Lane.Normal, setup.Normal), MakeLane(Lane.Bulk, setup.Bulk)];

        LaneQueue MakeLane(Lane lane, LanePolicy policy) =>
            new(pool, lane, policy, _end, setup.Tables?.Invoke(lane), setup.Observer?.Invoke(lane));
    }

    /// <summary>Gets where the segments come from.</summary>
    public SegmentPool Pool => _pool;

    /// <summary>Gets the control lane.</summary>
    public ControlLane Control { get; }

    /// <summary>Gets the line of the callers that wait for capacity.</summary>
    public WaitingLine Capacity { get; }

    /// <summary>Gets a value indicating whether sends are answered Closed.</summary>
    public bool IsClosed => _end.IsClosed;

    /// <summary>Gets the packets that were answered Full and given back to their sender.</summary>
    public long Refused => _end.Refused;

    /// <summary>Gets the packets of lanes 1 to 3 written.</summary>
    public long PacketsWritten => Volatile.Read(ref _packetsWritten);

    /// <summary>Gets the most bytes that may wait.</summary>
    public long MaxQueuedBytes => _budget.Limit;

    /// <summary>Gets the bytes that wait to be written.</summary>
    public long QueuedBytes => _budget.Used;

    /// <summary>Returns how many packets of the lanes 1 to 3 are committed. Waits while a packet is serialized.</summary>
    public long[] Committed() => Array.ConvertAll(_lanes, static lane => lane.Committed);

    /// <summary>Checks whether that many packets of the lanes 1 to 3 are written.</summary>
    /// <param name="packets">How many of each.</param>
    /// <param name="with">A segment that counts as written; null: none.</param>
    public bool IsWritten(long[] packets, Segment? with = null)
    {
        for (int i = 0; i < packets.Length; i++)
        {
            int more = with is not null && with.Lane == (int)_lanes[i].Lane ? with.PacketsEnding : 0;
            if (_lanes[i].Written + more < packets[i])
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Wakes the send pump, also if it lets a batch gather.</summary>
    public void WriteNow() => _signal.Set(now: true);

    /// <summary>Takes nothing new; what is queued is still written.</summary>
    public void Seal()
    {
        _end.Seal();
        WakeAll();
    }

    /// <summary>Takes nothing new; what is queued is still written, then Goodbye.</summary>
    /// <param name="reason">A caller's text; the first counts.</param>
    public void Complete(string reason)
    {
        _end.Complete(reason);
        WakeAll();
    }

    /// <summary>The peer has said Goodbye: takes nothing new. What is queued is still written, then the Ack that answers, then this side's
    /// Goodbye; the Ack alone if Goodbye is written already.</summary>
    /// <param name="handled">How many of the peer's packets are handled.</param>
    public void Answer(long handled)
    {
        Control.Answer(handled);
        WakeAll();
    }

    /// <summary>Takes nothing new and gives up what is queued. Goodbye with the reason is written if that takes no waiting.</summary>
    /// <param name="goodbyeReason">The fault's name, or null: nothing can be written any more.</param>
    /// <param name="detail">The text about the fault for the peer; empty: none.</param>
    public void Break(string? goodbyeReason, string detail = "")
    {
        _end.Break(goodbyeReason, detail);
        WakeAll();
    }

    /// <summary>Writes a packet into its lane. Never waits. Every way to send ends here.</summary>
    /// <param name="body">The packet.</param>
    /// <param name="lane">The lane.</param>
    /// <param name="policy">What becomes of it if there is no capacity; null: the lane's own. Packets that are dropped leave capacity to
    /// those of higher levels.</param>
    /// <param name="waiter">The sender's place in the line, if it has waited: its bytes are reserved.</param>
    /// <param name="measures">Whether <see cref="SendOutcome.Needed"/> is the packet's size even if there is no capacity for
    /// anything.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>.</exception>
    /// <exception cref="InvalidOperationException">Called by a formatter of this very link.</exception>
    public SendOutcome TrySend<TBody>(in TBody body, Lane lane, LanePolicy? policy, Waiter? waiter = null, bool measures = false)
        where TBody : struct, IPacketBody
    {
        int thread = Environment.CurrentManagedThreadId;
        ThrowIfInsideFormatter(thread);
        LaneQueue queue = LaneOf(lane);
        long most = (policy ?? queue.Policy) == LanePolicy.Drop ? LevelShares.Of(_budget.Limit, body.Level) : _budget.Limit;

        // Bytes that the peer does not take at all go on, to be reported so.
        if (waiter is null && body.KnownSize <= _maxBody && !_admission.MayFit(body, lane, most, measures))
        {
            return NoCapacity(body.KnownSize > 0 ? FrameHeader.SizeOnWire(body.KnownSize) : 1);
        }

        var ask = new CapacityAsk(_admission, lane, most, waiter);
        SendOutcome answer = queue.TryAppend(body, _maxBody, ask, thread, out bool urgent);
        if (answer.Result == SendResult.Queued)
        {
            _signal.Set(lane == Lane.Urgent || urgent || body.IsAwaited);
            return answer;
        }

        return answer.Result == SendResult.Full ? NoCapacity(answer.Needed) : answer;
    }

    /// <summary>Counts a packet that found no capacity: as dropped if the policy says so, else as refused.</summary>
    /// <returns>Full; Closed if the queue was closed meanwhile: Goodbye may already have told the peer what was lost.</returns>
    public SendResult RefusedFor(Lane lane, PacketLevel level, LanePolicy? policy)
    {
        LaneQueue queue = LaneOf(lane);
        bool isCounted = (policy ?? queue.Policy) == LanePolicy.Drop ? queue.TryDrop(level) : _end.TryRefuse();
        if (!isCounted)
        {
            return SendResult.Closed;
        }

        _counters.AnsweredFull();
        _fullAnswers.Raise(lane, _budget.Used);
        return SendResult.Full;
    }

    /// <summary>Adds up what was dropped.</summary>
    public (long Packets, IReadOnlyDictionary<PacketLevel, long> ByLevel) Dropped() => DropLedger.Sum(_lanes.Select(lane => lane.Drops));

    /// <summary>Adds what was dropped, by level, to sums of several links (<see cref="LiveLinks.Sums"/>).</summary>
    public void AddDroppedTo(long[] sums)
    {
        foreach (KeyValuePair<PacketLevel, long> level in Dropped().ByLevel)
        {
            sums[LiveLinks.Sums.Dropped + (int)level.Key] += level.Value;
        }
    }

    /// <summary>A formatter holds its lane's lock; if it took another's, two of them could wait for each other forever.</summary>
    /// <exception cref="InvalidOperationException">A formatter of this link runs on this thread.</exception>
    public void ThrowIfInsideFormatter() => ThrowIfInsideFormatter(Environment.CurrentManagedThreadId);

    private void ThrowIfInsideFormatter(int thread)
    {
        if (_lanes[0].FormatterThread == thread || _lanes[1].FormatterThread == thread || _lanes[2].FormatterThread == thread)
        {
            throw new InvalidOperationException(
                "A packet formatter must not call the link that it writes for: it holds the lock of its lane.");
        }
    }

    /// <summary>Takes what is to be written next: the highest lane that has anything. The send pump only.</summary>
    /// <returns>A segment that the caller owns until <see cref="Written"/> or <see cref="GiveUp"/>; null if nothing waits.</returns>
    public Segment? Take()
    {
        if (_end.State == SendState.Broken)
        {
            Discard();
        }
        else if ((Control.Take() ?? _lanes[0].Take() ?? _lanes[1].Take() ?? _lanes[2].Take()) is { } segment)
        {
            return segment;
        }

        if (!_end.IsGoodbyeDue)
        {
            return null;
        }

        // The queue is closed, so a lane that is found empty stays empty. Not under the control lane's lock: a formatter may take its time,
        // and Abort, Ack and the heartbeat need that lock meanwhile.
        foreach (LaneQueue lane in _lanes)
        {
            if (!lane.TryTake(out Segment? late) || late is not null)
            {
                return late;
            }
        }

        Array.ForEach(_lanes, lane => lane.ReportDrops(Control.Report));
        return Control.TakeLast(_packetsWritten);
    }

    /// <summary>Checks whether <see cref="Take"/> would give anything, or has something to compose, or found a formatter at work. The send
    /// pump only.</summary>
    public bool HasWork() => Control.HasWork() || _lanes[0].HasWork() || _lanes[1].HasWork() || _lanes[2].HasWork();

    /// <summary>Counts a written segment and returns it to the pool. No other place returns a written segment.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="ticks">How long the write took.</param>
    /// <param name="behind">Bytes that were written behind its own.</param>
    public void Written(Segment segment, long ticks, int behind = 0)
    {
        Lane lane = (Lane)segment.Lane;
        _counters.Wrote(segment.Lane, segment.Used + behind, segment.PacketsEnding, ticks);
        Volatile.Write(ref _packetsWritten, _packetsWritten + segment.PacketsEnding);
        if (lane != Lane.Control)
        {
            LaneOf(lane).NoteWritten(segment.PacketsEnding);
        }

        Release(segment, isWritten: true);
    }

    /// <summary>The segment will not be written, or its write has failed: its packets count as dropped.</summary>
    public void GiveUp(Segment segment)
    {
        if (segment.Lane != (int)Lane.Control)
        {
            LaneOf((Lane)segment.Lane).Drop(segment);
        }

        Release(segment, isWritten: false);
    }

    /// <summary>This direction takes nothing more: all that wait for capacity look around, and the pump does.</summary>
    private void WakeAll()
    {
        Capacity.Release();
        _signal.Set(now: true);
    }

    private LaneQueue LaneOf(Lane lane) => _lanes[(int)lane - 1];

    /// <summary>Wakes the pump. Call without a lane's lock.</summary>
    private SendOutcome NoCapacity(long needed)
    {
        _signal.Set(now: true);
        return new SendOutcome(IsClosed ? SendResult.Closed : SendResult.Full, needed);
    }

    /// <summary>Gives up everything, of every lane: one whose commit has failed throws that, and the others must be given up all the
    /// same.</summary>
    /// <exception cref="Exception">The first of what lanes threw.</exception>
    private void Discard()
    {
        ExceptionDispatchInfo? first = null;
        while (Control.TakeBroken() is { } segment)
        {
            GiveUp(segment);
        }

        foreach (LaneQueue lane in _lanes)
        {
            for (bool isEmpty = false; !isEmpty;)
            {
                try
                {
                    isEmpty = !lane.TryTake(out Segment? segment, Timeout.Infinite) || segment is null;
                    if (segment is not null)
                    {
                        GiveUp(segment);
                    }
                }
                catch (InvalidOperationException failedCommit)
                {
                    first ??= ExceptionDispatchInfo.Capture(failedCommit);   // thrown once a lane
                }
            }

            lane.Discard();
        }

        first?.Throw();
    }

    private void Release(Segment segment, bool isWritten)
    {
        int bytes = segment.Used;
        var lane = (Lane)segment.Lane;
        if (lane == Lane.Control)
        {
            Control.Release(segment, isWritten);
        }

        _pool.Return(segment);
        _pool.ReportMisses();
        if (lane != Lane.Control)
        {
            _budget.GiveFrom(lane, bytes);
            Capacity.Serve();
        }
    }
}
