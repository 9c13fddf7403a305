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
    private readonly Action<bool> _ring;   // true if a batch that gathers must not be waited for
    private long _maxBody = long.MaxValue;
    private long _packetsWritten;          // written by the send pump, read by all: a count by itself

    public SendQueue(SegmentPool pool, long maxQueuedBytes, LanePolicy urgent, LanePolicy normal, LanePolicy bulk, LinkCounters counters,
        Action<bool> ring)
    {
        _pool = pool;
        _budget = new ByteBudget(maxQueuedBytes);
        Capacity = new WaitingLine(_budget);
        _admission = new Admission(_budget, Capacity);
        _counters = counters;
        _ring = ring;
        Control = new ControlLane(pool, Capacity, ring);
        _lanes =
        [
            new LaneQueue(pool, Lane.Urgent, urgent),
            new LaneQueue(pool, Lane.Normal, normal),
            new LaneQueue(pool, Lane.Bulk, bulk),
        ];
    }

    /// <summary>Gets where the segments come from.</summary>
    public SegmentPool Pool => _pool;

    /// <summary>Gets the control lane, which also ends this direction.</summary>
    public ControlLane Control { get; }

    /// <summary>Gets the line of the callers that wait for capacity.</summary>
    public WaitingLine Capacity { get; }

    /// <summary>Gets or sets what is called after each whole write, on the send thread, with the packets that ended in it.</summary>
    public Action<Lane, int>? LaneWritten { get; set; }

    /// <summary>Gets a value indicating whether sends are answered Closed.</summary>
    public bool IsClosed => Control.IsClosed;

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
    public void WriteNow() => _ring(true);

    /// <summary>Sets the most body bytes a packet may have: what the peer takes.</summary>
    public void SetMaxBody(int bytes) => _maxBody = bytes;

    /// <summary>Lets packets refer to tables of their lane if their type asks for it; before the first packet.</summary>
    public void UseTables(Func<Lane, IPacketTables> tables) => Array.ForEach(_lanes, lane => lane.UseTables(tables(lane.Lane)));

    /// <summary>Lets somebody hear of the packets of lanes 1 to 3; before the first packet.</summary>
    public void Observe(Func<Lane, ILaneObserver> observer) => Array.ForEach(_lanes, lane => lane.Observer = observer(lane.Lane));

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

        SendOutcome answer = queue.TryAppend(body, _maxBody, Control, _admission, most, waiter, thread, out bool urgent);
        if (answer.Result == SendResult.Queued)
        {
            _ring(lane == Lane.Urgent || urgent || body.IsAwaited);
            return answer;
        }

        return answer.Result == SendResult.Full ? NoCapacity(answer.Needed) : answer;
    }

    /// <summary>Counts a packet that found no capacity: as dropped if the policy says so, else as refused.</summary>
    /// <returns>Full; Closed if the queue was closed meanwhile: Goodbye may already have told the peer what was lost.</returns>
    public SendResult RefusedFor(Lane lane, PacketLevel level, LanePolicy? policy)
    {
        LaneQueue queue = LaneOf(lane);
        bool isCounted = (policy ?? queue.Policy) == LanePolicy.Drop ? queue.TryDrop(level, Control) : Control.TryRefuse();
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
        if (Control.State == SendState.Broken)
        {
            Discard();
        }
        else if ((Control.Take() ?? _lanes[0].Take() ?? _lanes[1].Take() ?? _lanes[2].Take()) is { } segment)
        {
            return segment;
        }

        if (!Control.IsGoodbyeDue)
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

        LaneWritten?.Invoke(lane, segment.PacketsEnding);
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

    private LaneQueue LaneOf(Lane lane) => _lanes[(int)lane - 1];

    /// <summary>Wakes the pump. Call without a lane's lock.</summary>
    private SendOutcome NoCapacity(long needed)
    {
        _ring(true);
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
