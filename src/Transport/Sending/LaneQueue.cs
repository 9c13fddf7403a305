using System;
using System.Threading;
using System.Threading.Channels;

namespace Transport;

/// <summary>One lane on its way out: the open segment that callers write into, and the sealed ones behind it in a channel with one
/// reader.</summary>
internal sealed class LaneQueue
{
    /// <summary>How many bytes make a write that costs little a packet: from here on twice as many save less than a tenth (64 KiB against
    /// 256).</summary>
    public const int MinEfficientWrite = 64 << 10;

    private const int Moment = 1;   // ms: many times what a packet takes to serialize

    private Channel<Segment>? _sealed;   // made with the first full segment: an idle link has none, and it takes 1 KB a lane
    private readonly SegmentPool _pool;
    private Action<Segment>? _seal;
    private FrameWriter? _frames;    // made with the lane's first packet: most links use one lane or two
    private (TableCaps Caps, int MaxBytes) _tables;
    private bool _sealedLarge;
    private Exception? _failure;     // of a Commit, until the send loop has thrown it; under the lock
    private long _taken;             // packets that end in the segments that the send loop has taken; its alone

    // Set and cleared under the lock; read without it, where a late look does no harm: HasWork takes the lock.
    private volatile bool _hasAny;

    public LaneQueue(SegmentPool pool, Lane lane, LanePolicy policy)
    {
        Lane = lane;
        Policy = policy;
        _pool = pool;
        Drops = new DropLedger(lane);
    }

    /// <summary>Gets the lock around <see cref="Frames"/> and <see cref="Drops"/>. Held for as long as one packet takes to serialize;
    /// nobody is called while it is held but the formatter.</summary>
    public object Gate { get; } = new();

    public Lane Lane { get; }

    public LanePolicy Policy { get; }

    /// <summary>Gets where packets are written to. Under <see cref="Gate"/>.</summary>
    public FrameWriter Frames => _frames ?? MakeFrames();

    public DropLedger Drops { get; }

    /// <summary>Gets a value indicating whether a packet was handed over in part, so that nothing may follow it. Under
    /// <see cref="Gate"/>.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>Gets how many packets were committed, packets of the tables included: the newest one's ordinal. Under
    /// <see cref="Gate"/>.</summary>
    public long Packets { get; private set; }

    /// <summary>Gets or sets what hears of this lane's packets; null: nobody. Set before the first packet.</summary>
    public ILaneObserver? Observer { get; set; }

    /// <summary>Gets or sets the thread on which a caller's formatter writes into this lane, or 0. Read without the lock: a thread only
    /// looks for itself.</summary>
    public int FormatterThread { get; set; }

    /// <summary>Lets packets refer to tables if their type asks for it; before the first packet.</summary>
    public void UseTables(TableCaps caps, int maxBytes) => _tables = (caps, maxBytes);

    /// <summary>Begins a packet, and if the peer does not know yet what was dropped, puts Dropped in front of it. Under
    /// <see cref="Gate"/>.</summary>
    public void Begin(ushort type, long maxBody, bool usesTables = false)
    {
        Frames.Begin(type, maxBody, _seal ??= Seal, usesTables);
        if (Drops.HasUnreported)
        {
            Frames.Prefix(Drops.Frame());
        }
    }

    /// <summary>Hands the packet that was ended to the send loop. Under <see cref="Gate"/>. Never throws: a part of the packet may be on
    /// its way then, so the send loop throws instead, and with it ends the link.</summary>
    public void Commit(int packets)
    {
        int all = packets + Frames.TablePackets;
        Packets += all;
        try
        {
            Observer?.Committed(Frames.Ended, all);
            Frames.Commit(_seal!, packets);
            if (Drops.HasUnreported)
            {
                Drops.MarkReported();
            }
        }
        catch (Exception e)
        {
            HasFailed = true;
            _failure = e;
        }

        _hasAny = true;
    }

    /// <summary>Gives back what is not sealed, and counts what the send loop will never get. Under <see cref="Gate"/>; the queue is broken,
    /// and what was sealed is taken.</summary>
    public void Discard()
    {
        _frames?.Discard();
        if (Packets > _taken)
        {
            Drops.Add(PacketLevel.None, bytes: 0, Packets - _taken);
            _taken = Packets;
        }
    }

    /// <summary>Takes what is next to be written. The send loop only.</summary>
    /// <returns>A segment, <see cref="SegmentState.InFlight"/>, or null if the lane is empty or busy; <see cref="HasWork"/> finds what a
    /// look without the lock has missed.</returns>
    public Segment? Take() => _hasAny && TryTake(out Segment? segment) ? segment : null;

    /// <summary>Takes what is next to be written, if no formatter keeps the lane for longer than a moment. The send loop only.</summary>
    /// <param name="segment">A segment, <see cref="SegmentState.InFlight"/>, or null if the lane is empty.</param>
    /// <param name="patience">How long to wait for the lane, in milliseconds. An urgent packet waits as long at most.</param>
    /// <returns>False if a formatter was at work all the time.</returns>
    /// <exception cref="InvalidOperationException">A packet was handed over in part; thrown once.</exception>
    public bool TryTake(out Segment? segment, int patience = Moment)
    {
        segment = null;
        if (Volatile.Read(ref _sealed)?.Reader.TryRead(out segment) is not true)
        {
            if (!Monitor.TryEnter(Gate, patience))
            {
                return false;
            }

            try
            {
                // Sealed meanwhile: it comes before what is open.
                if (_sealed?.Reader.TryRead(out segment) is not true)
                {
                    ThrowIfFailed();
                    segment = HasFailed ? null : _frames?.TakeOpen();
                    segment?.Pass(SegmentState.Writing, SegmentState.Sealed);
                    _hasAny = false;
                }
            }
            finally
            {
                Monitor.Exit(Gate);
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

    /// <summary>Says whether <see cref="Take"/> would give a segment, or a formatter is at work. The send loop only.</summary>
    public bool HasWork()
    {
        if (!Monitor.TryEnter(Gate, Moment))
        {
            return true;
        }

        try
        {
            return _failure is not null || _frames?.Open is { Used: > 0 } || _sealed?.Reader.TryPeek(out _) is true;
        }
        finally
        {
            Monitor.Exit(Gate);
        }
    }

    /// <summary>Says whether, since the last call, a segment was sealed that is worth a write of its own. Under
    /// <see cref="Gate"/>.</summary>
    public bool TellSealed()
    {
        bool was = _sealedLarge;
        _sealedLarge = false;
        return was;
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
        _frames = new FrameWriter(_pool, Lane);
        _frames.UseTables(_tables.Caps, _tables.MaxBytes);
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
