using System;
using System.Threading;
using System.Threading.Channels;

namespace Transport;

// caller ─ lock ─> Begin ─> the formatter ─> End ─┬─ admitted ────> Commit ─> open segment ─ full ─> sealed segments (channel)
//                  (FrameWriter)                  └─ no capacity ─> Rollback       │                        │
//                                                                                  └───────── Take ─────────┴─> in flight ─> the wire
//
// | who                        | calls                        | takes the lock                                                   |
// |----------------------------|------------------------------|------------------------------------------------------------------|
// | any thread                 | TryAppend, TryDrop           | for as long as one packet takes to serialize                     |
// | the send pump              | Take, TryTake, HasWork       | for the open segment alone, 1 ms at most: then it looks again    |
// | the send pump, at its end  | Drop, ReportDrops, Discard   | for an instant                                                   |
//
// A segment is Writing (open), Sealed (in the channel), InFlight (taken), and goes back to the pool when its write has ended.

/// <summary>One lane on its way out: the open segment that callers write into, and the sealed ones behind it in a channel with one
/// reader.</summary>
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
    private readonly Action<Segment> _seal;
    private Channel<Segment>? _sealed;   // made with the first full segment: an idle link has none, and it takes 1 KB a lane
    private readonly SegmentPool _pool;
    private FrameWriter? _frames;    // made with the lane's first packet: most links use one lane or two
    private bool _sealedLarge;       // since the last packet, a segment that is worth a write of its own; under the lock
    private Exception? _failure;     // of a Commit, until the send pump has thrown it; under the lock
    private bool _hasFailed;         // a packet was handed over in part, so that nothing may follow it; under the lock
    private long _packets;           // committed, packets of the tables included: the newest one's ordinal; under the lock
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
        (_end, _tables, _observer, _seal) = (end, tables, observer, Seal);
        Lane = lane;
        Policy = policy;
        _pool = pool;
        Drops = new DropLedger(lane);
    }

    public Lane Lane { get; }

    public LanePolicy Policy { get; }

    /// <summary>Gets where packets are written to. Under the lock.</summary>
    public FrameWriter Frames => _frames ?? MakeFrames();

    public DropLedger Drops { get; }

    /// <summary>Gets the packets committed, packets of the tables included. Waits while a packet is serialized.</summary>
    public long Committed
    {
        get
        {
            lock (_gate)
            {
                return _packets;
            }
        }
    }

    /// <summary>Gets how many of them are written. Any thread.</summary>
    public long Written => Volatile.Read(ref _written);

    /// <summary>Gets or sets the thread on which a caller's formatter writes into this lane, or 0. Read without the lock: a thread only
    /// looks for itself.</summary>
    public int FormatterThread { get; set; }

    /// <summary>Begins a packet, and if the peer does not know yet what was dropped, puts Dropped in front of it. Under
    /// the lock.</summary>
    public void Begin(ushort type, long maxBody, bool usesTables = false)
    {
        Frames.Begin(type, maxBody, _seal, usesTables);
        if (Drops.HasUnreported)
        {
            Frames.Prefix(Drops.Frame());
        }
    }

    /// <summary>Hands the packet that was ended to the send pump. Under the lock. Never throws: a part of the packet may be on
    /// its way then, so the send pump throws instead, and with it ends the link.</summary>
    public void Commit(int packets)
    {
        int all = packets + Frames.TablePackets;
        _packets += all;
        try
        {
            _observer?.Committed(Frames.Ended, all);
            Frames.Commit(_seal, packets);
            if (Drops.HasUnreported)
            {
                Drops.MarkReported();
            }
        }
        catch (Exception e)
        {
            _hasFailed = true;
            _failure = e;
        }

        _hasAny = true;
    }

    /// <summary>Writes a packet, and hands it to the send pump if there is capacity. Never waits.</summary>
    /// <param name="body">The packet.</param>
    /// <param name="maxBody">The most bytes its body may have.</param>
    /// <param name="admission">Decides whether there is capacity.</param>
    /// <param name="most">The most bytes that may be queued with it.</param>
    /// <param name="waiter">Its sender's place in the line, if it has waited.</param>
    /// <param name="thread">The caller's.</param>
    /// <param name="wasSealed">Whether a segment was sealed that is worth a write of its own.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>.</exception>
    public SendOutcome TryAppend<TBody>(
        in TBody body, long maxBody, Admission admission, long most, Waiter? waiter, int thread, out bool wasSealed)
        where TBody : struct, IPacketBody
    {
        lock (_gate)
        {
            wasSealed = false;
            if (_end.IsClosed || _hasFailed)
            {
                return new SendOutcome(SendResult.Closed);
            }

            bool isTaken = false;
            long size;
            FormatterThread = thread;
            try
            {
                Begin(body.Type, maxBody, body.UsesTables);
                body.WriteTo(Frames);
                size = Frames.End();
                isTaken = _end.State != SendState.Broken && admission.TryTake(Lane, size, most, waiter);
            }
            finally
            {
                FormatterThread = 0;
                if (!isTaken)
                {
                    _frames?.Rollback();
                    _sealedLarge = false;
                }
            }

            if (!isTaken)
            {
                return new SendOutcome(SendResult.Full, size);
            }

            ByteMoves.Note("1 packet: serialized into the open segment", body.KnownSize, size);
            Commit(packets: 1);
            (wasSealed, _sealedLarge) = (_sealedLarge, false);
            return new SendOutcome(SendResult.Queued, size, _packets);
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
            if (_packets > _taken)
            {
                Drops.Add(PacketLevel.None, bytes: 0, _packets - _taken);
                _taken = _packets;
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
        segment = null;
        if (Volatile.Read(ref _sealed)?.Reader.TryRead(out segment) is not true)
        {
            if (!Monitor.TryEnter(_gate, patience))
            {
                return false;
            }

            try
            {
                // Sealed meanwhile: it comes before what is open.
                if (_sealed?.Reader.TryRead(out segment) is not true)
                {
                    ThrowIfFailed();
                    segment = _hasFailed ? null : _frames?.TakeOpen();
                    segment?.Pass(SegmentState.Writing, SegmentState.Sealed);
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
            return _failure is not null || _frames?.Open is { Used: > 0 } || _sealed?.Reader.TryPeek(out _) is true;
        }
        finally
        {
            Monitor.Exit(_gate);
        }
    }

    private void ThrowIfFailed()
    {
        if (_failure is { } failure)
        {
            _failure = null;
            throw new InvalidOperationException(
                $"A packet of lane {Lane} could not be handed over: {ExceptionText.MessageOf(failure)}", failure);
        }
    }

    private FrameWriter MakeFrames()
    {
        _frames = new FrameWriter(_pool, Lane, _tables);
        return _frames;
    }

    private void Seal(Segment segment)
    {
        Channel<Segment> full = _sealed ?? Channel.CreateUnbounded<Segment>(new UnboundedChannelOptions { SingleReader = true });
        _sealedLarge |= segment.Capacity >= MinEfficientWrite;
        segment.Pass(SegmentState.Writing, SegmentState.Sealed);
        full.Writer.TryWrite(segment);
        Volatile.Write(ref _sealed, full);
    }
}
