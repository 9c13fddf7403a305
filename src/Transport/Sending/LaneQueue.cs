using System;
using System.Threading;

namespace Transport;

// caller ─ lock ─> Begin ─> the formatter ─> TryEnd ─┬─ admitted ────> open segment ─ full ─> full segments
//                  (FrameWriter)                     └─ no capacity ─> forgotten │              │
//                                                                     └── Take ──┴──────────────┴─> in flight ─> the wire
//
// | who                        | calls                        | takes the lock                                                   |
// |----------------------------|------------------------------|------------------------------------------------------------------|
// | any thread                 | TryAppend, TryDrop           | for as long as one packet takes to serialize                     |
// | the send pump              | Take, TryTake, HasWork       | for the open segment alone, 1 ms at most: then it looks again    |
// | the send pump, at its end  | Drop, ReportDrops, Discard   | for an instant                                                   |
//
// A segment is Writing (open), Sealed (full), InFlight (taken), and goes back to the pool when its write has ended.

/// <summary>One lane on its way out: the open segment that callers write into, and the sealed ones before it.</summary>
internal sealed class LaneQueue
{
    /// <summary>The size of an efficient write in bytes. Doubling a write beyond this size saves less than 10 % (64 KiB against
    /// 256).</summary>
    public const int MinEfficientWrite = 64 << 10;

    private const int Moment = 1;   // ms: many times what a packet takes to serialize

    private readonly object _gate;
    private readonly SendEnd _end;
    private readonly IPacketTables? _tables;
    private readonly ILaneObserver? _observer;
    private readonly LaneSegments _segments;
    private readonly SegmentPool _pool;
    private FrameWriter? _frames;    // made with the lane's first packet: most links use one lane or two
    private bool _hasThrown;         // the failure of a packet's end; the send pump's
    private long _taken;             // packets that end in the segments that the send pump has taken; its alone
    private long _written;           // of these, the packets whose write is over; written by the send pump, read by all: a count by itself

    // Set and cleared under the lock; read without it, since a late look does no harm: HasWork takes the lock.
    private volatile bool _hasAny;

    /// <summary>Initializes a new instance of the <see cref="LaneQueue"/> class.</summary>
    /// <param name="pool">Gives it its segments.</param>
    /// <param name="lane">Which lane it is.</param>
    /// <param name="policy">What becomes of packets that find no capacity.</param>
    /// <param name="end">Where the direction stands; its lock is taken inside this lane's.</param>
    /// <param name="tables">The lane's tables, for packets whose type asks for them; null: there are none.</param>
    /// <param name="observer">Hears of this lane's packets; null: nobody does.</param>
    /// <param name="gate">The lock around <see cref="Frames"/> and <see cref="Drops"/>; null: one of its own. Held for as long as one
    /// packet takes to serialize; nobody is called while it is held but the formatter.</param>
    public LaneQueue(SegmentPool pool, Lane lane, LanePolicy policy, SendEnd end, IPacketTables? tables = null,
        ILaneObserver? observer = null, object? gate = null)
    {
        _gate = gate ?? new object();
        (_end, _tables, _observer) = (end, tables, observer);
        Lane = lane;
        Policy = policy;
        _pool = pool;
        _segments = new LaneSegments(pool);
        Drops = new DropLedger(lane);
    }

    public Lane Lane { get; }

    public LanePolicy Policy { get; }

    /// <summary>Gets where packets are written to. Under the lock.</summary>
    public FrameWriter Frames => _frames ?? MakeFrames();

    public DropLedger Drops { get; }

    /// <summary>Gets the open segment. Under the lock.</summary>
    public Segment? Open => _segments.Open;

    /// <summary>Gets the packets committed, packets of the tables included. Waits while a packet is serialized.</summary>
    public long Committed
    {
        get
        {
            lock (_gate)
            {
                return _frames?.Packets ?? 0;
            }
        }
    }

    /// <summary>Gets how many of them are written. Any thread.</summary>
    public long Written => Volatile.Read(ref _written);

    /// <summary>Gets or sets the thread on which a caller's formatter writes into this lane, or 0. Read without the lock: a thread only
    /// looks for itself.</summary>
    public int FormatterThread { get; set; }

    /// <summary>Writes a packet, and hands it to the send pump if there is capacity. Never waits.</summary>
    /// <param name="body">The packet.</param>
    /// <param name="maxBody">The most bytes its body may have.</param>
    /// <param name="ask">Asks for capacity.</param>
    /// <param name="thread">The caller's.</param>
    /// <param name="wasSealed">Whether a segment was sealed that is worth a write of its own.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>.</exception>
    public SendOutcome TryAppend<TBody>(in TBody body, long maxBody, in CapacityAsk ask, int thread, out bool wasSealed)
        where TBody : struct, IPacketBody
    {
        lock (_gate)
        {
            wasSealed = false;
            FrameWriter frames = Frames;
            if (_end.IsClosed || frames.Failure is not null)
            {
                return new SendOutcome(SendResult.Closed);
            }

            bool isTaken;
            long size;
            FormatterThread = thread;
            try
            {
                frames.Begin(body.Type, maxBody, body.UsesTables);
                body.WriteTo(frames);
                isTaken = frames.TryEnd(ask, out size);
            }
            catch
            {
                frames.Rollback();
                throw;
            }
            finally
            {
                FormatterThread = 0;
            }

            if (!isTaken)
            {
                return new SendOutcome(SendResult.Full, size);
            }

            ByteMoves.Note("1 packet: serialized into the open segment", body.KnownSize, size);
            _hasAny = true;
            (wasSealed, _segments.HasLarge) = (_segments.HasLarge, false);
            return new SendOutcome(SendResult.Queued, size, frames.Packets);
        }
    }

    /// <summary>Counts a packet as dropped for lack of capacity, unless the queue was closed meanwhile: Goodbye may already contain the
    /// drop count.</summary>
    /// <returns>False if it was closed.</returns>
    public bool TryDrop(PacketLevel level)
    {
        lock (_gate)
        {
            if (_end.IsClosed)
            {
                return false;
            }

            Drops.Add(level, bytes: 0);
            return true;
        }
    }

    /// <summary>Notes that packets are written. The send pump only.</summary>
    public void NoteWritten(int packets)
    {
        _observer?.Written(packets);
        Volatile.Write(ref _written, _written + packets);
    }

    /// <summary>Counts the packets of a segment whose write has failed, or that will not be written, as dropped.</summary>
    public void Drop(Segment segment)
    {
        if (segment.PacketsEnding > 0)
        {
            lock (_gate)
            {
                Drops.Add(PacketLevel.None, segment.Used, segment.PacketsEnding);
            }
        }
    }

    /// <summary>Reports drops to the peer before Goodbye. The send pump only.</summary>
    /// <param name="send">Gets the body of a Dropped packet. If it throws, it is reported later.</param>
    public void ReportDrops(Action<byte[]> send)
    {
        byte[] body;
        lock (_gate)
        {
            if (!Drops.HasUnreported)
            {
                return;
            }

            body = Drops.Frame().Slice(FrameHeader.Size).ToArray();
        }

        send(body);
        lock (_gate)
        {
            Drops.MarkReported();   // nothing was added meanwhile: the queue is closed
        }
    }

    /// <summary>Returns what is not sealed, and counts what the send pump will never get. The queue is broken, and what was sealed is
    /// taken.</summary>
    public void Discard()
    {
        lock (_gate)
        {
            _frames?.Discard();
            if (_frames?.Packets is { } packets && packets > _taken)
            {
                Drops.Add(PacketLevel.None, bytes: 0, packets - _taken);
                _taken = packets;
            }
        }
    }

    /// <summary>Takes what is next to be written. The send pump only.</summary>
    /// <returns>A segment, <see cref="SegmentState.InFlight"/>, or null if the lane is empty or busy; <see cref="HasWork"/> finds what a
    /// look without the lock has missed.</returns>
    public Segment? Take() => _hasAny && TryTake(out Segment? segment) ? segment : null;

    /// <summary>Takes what is next to be written, if no formatter keeps the lane for longer than a moment. The send pump only.</summary>
    /// <param name="segment">A segment, <see cref="SegmentState.InFlight"/>, or null if the lane is empty.</param>
    /// <param name="patience">How long to wait for the lane, in milliseconds. An urgent packet waits as long at most.</param>
    /// <returns>False if a formatter was at work all the time.</returns>
    /// <exception cref="InvalidOperationException">A packet was handed over in part; thrown once.</exception>
    public bool TryTake(out Segment? segment, int patience = Moment)
    {
        if (!_segments.TryTakeFull(out segment))
        {
            if (!Monitor.TryEnter(_gate, patience))
            {
                return false;
            }

            try
            {
                // Sealed meanwhile: it comes before what is open.
                if (!_segments.TryTakeFull(out segment))
                {
                    ThrowIfFailed();
                    segment = _frames?.Failure is null ? _segments.TakeOpen() : null;
                    _hasAny = false;
                }
            }
            finally
            {
                Monitor.Exit(_gate);
            }
        }

        if (segment is not null)
        {
            segment.Pass(SegmentState.Sealed, SegmentState.InFlight);
            segment.Lane = (int)Lane;
            _taken += segment.PacketsEnding;
        }

        return true;
    }

    /// <summary>Checks whether <see cref="Take"/> would give a segment, or a formatter is at work. The send pump only.</summary>
    public bool HasWork()
    {
        if (!Monitor.TryEnter(_gate, Moment))
        {
            return true;
        }

        try
        {
            return (_frames?.Failure is not null && !_hasThrown) || _segments.Open is { Used: > 0 } || _segments.HasFull;
        }
        finally
        {
            Monitor.Exit(_gate);
        }
    }

    private void ThrowIfFailed()
    {
        if (_frames?.Failure is { } failure && !_hasThrown)
        {
            _hasThrown = true;
            throw new InvalidOperationException(
                $"A packet of lane {Lane} could not be handed over: {ExceptionText.MessageOf(failure)}", failure);
        }
    }

    private FrameWriter MakeFrames()
    {
        _frames = new FrameWriter(_pool, Lane, _segments, Drops, _tables, _observer);
        return _frames;
    }
}
