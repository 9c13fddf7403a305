using System;
using System.Buffers;

namespace Transport;

/// <summary>
/// The control lane: what this side reports to the peer beside packets (Ping, Pong, SetLevel, Ack), and Goodbye.
/// </summary>
/// <remarks>
/// Any thread notes what is to be said, under this lane's lock, and then signals. What finds capacity is composed at once; the send pump
/// composes the rest. Under this lock no other lane's is taken, only that of <see cref="SendEnd"/>, so that a formatter, which holds its
/// lane's, may ask for all that is here.
/// </remarks>
internal sealed class ControlLane
{
    /// <summary>What the control lane may hold on top of the budget, in bytes, so that throttling cannot deadlock. Over it Ping and Pong
    /// are left out, and only the latest Ack and level are kept; Goodbye is always composed.</summary>
    private const int Reserve = 64 << 10;

    private readonly object _gate = new();   // over everything below
    private readonly LaneQueue _queue;
    private readonly SendEnd _end;
    private readonly SendSignal _signal;
    private readonly MissCounts _misses;
    private bool _isDue;                 // an Ack or a level is to be composed
    private long _ackWanted;
    private long _ackComposed;
    private bool _isAckForced;           // also if the peer knows the number: it answers Goodbye
    private LevelRules? _levelWanted;    // what the peer does not know yet
    private long _bytes;
    private Segment? _answerSegment;
    private Segment? _goodbyeSegment;
    private bool _isAnswerWritten;
    private bool _isGoodbyeWritten;

    /// <summary>Initializes a new instance of the <see cref="ControlLane"/> class.</summary>
    /// <param name="pool">Gives it its segments.</param>
    /// <param name="end">Where this direction stands.</param>
    /// <param name="signal">Wakes the send pump.</param>
    /// <param name="misses">The packets that count as handled and were not.</param>
    public ControlLane(SegmentPool pool, SendEnd end, SendSignal signal, MissCounts misses)
    {
        _queue = new LaneQueue(pool, Lane.Control, LanePolicy.Refuse, end, gate: _gate);
        _end = end;
        _signal = signal;
        _misses = misses;
    }

    /// <summary>Gets a value indicating whether Goodbye is written.</summary>
    public bool IsGoodbyeWritten
    {
        get
        {
            lock (_gate)
            {
                return _isGoodbyeWritten;
            }
        }
    }

    /// <summary>Gets a value indicating whether the Ack that answers the peer's Goodbye is written.</summary>
    public bool IsAnswerWritten
    {
        get
        {
            lock (_gate)
            {
                return _isAnswerWritten;
            }
        }
    }

    /// <summary>Queues a Ping (until Goodbye: a peer that has said Goodbye asks nothing more) or a Pong.</summary>
    /// <param name="type">Which.</param>
    /// <param name="body">Writes its body.</param>
    /// <param name="now">That it must not wait for a batch that gathers.</param>
    /// <returns>False if the reserve is used up, or the link no longer sends such packets.</returns>
    public bool TrySend(ushort type, Action<IBufferWriter<byte>> body, bool now = false)
    {
        lock (_gate)
        {
            SendState last = type == ControlType.Pong ? SendState.Broken : SendState.Sealed;
            if (_end.State >= last || _bytes > Reserve)
            {
                return false;
            }

            Compose(type, body, static (output, write) => write(output));
        }

        _signal.Set(now);
        return true;
    }

    /// <summary>Reports how many of the peer's packets are handled; while the peer does not read, only the latest number. At once:
    /// somebody may wait for it.</summary>
    public void Acknowledge(long packets)
    {
        lock (_gate)
        {
            _ackWanted = Math.Max(_ackWanted, packets);   // the pulse may come late with an older number
            ComposeIfCapacity();
        }

        _signal.Set(now: true);
    }

    /// <summary>Reports which packets the peer is to send. The peer is notified each level; while it does not read, only the
    /// latest.</summary>
    /// <returns>False if the link takes nothing new.</returns>
    public bool SetLevel(LevelRules level)
    {
        lock (_gate)
        {
            if (_end.IsClosed)
            {
                return false;
            }

            _levelWanted = level;
            ComposeIfCapacity();
        }

        _signal.Set(now: false);
        return true;
    }

    /// <summary>The peer has said Goodbye: what is queued is still written, then the Ack that answers, then this side's Goodbye; the Ack
    /// alone if Goodbye is written already. The queue, which calls this, wakes who waits.</summary>
    /// <param name="handled">How many of the peer's packets are handled.</param>
    public void Answer(long handled)
    {
        lock (_gate)
        {
            _end.Answer();
            _ackWanted = handled;
            _isAckForced = true;
            _isDue = true;
        }
    }

    /// <summary>Checks whether there is something to write or to compose. The send pump only.</summary>
    public bool HasWork()
    {
        lock (_gate)
        {
            return _end.IsGoodbyeDue || (_isDue && _end.State != SendState.Broken) || _queue.HasWork();
        }
    }

    /// <summary>Takes what is to be written next, with what could not be composed when it was due. The send pump only.</summary>
    public Segment? Take()
    {
        lock (_gate)
        {
            if (_isDue)
            {
                ComposeDue();
            }

            return TakeComposed();
        }
    }

    /// <summary>Composes a Dropped packet before Goodbye, if that is still due. The send pump only.</summary>
    public void Report(byte[] dropped)
    {
        lock (_gate)
        {
            if (_end.IsGoodbyeDue && _end.State != SendState.Broken)
            {
                Compose(ControlType.Dropped, dropped, static (output, bytes) => output.Write(bytes));
            }
        }
    }

    /// <summary>Composes Goodbye, if it is still due, and takes what is to be written next. The send pump only, once it has found the other
    /// lanes empty and what they dropped is reported.</summary>
    /// <param name="packets">How many packets were written in all.</param>
    public Segment? TakeLast(long packets)
    {
        lock (_gate)
        {
            if (_end.IsGoodbyeDue)
            {
                ComposeGoodbye(packets);
            }

            return TakeComposed();
        }
    }

    /// <summary>Takes what will never be written, for <see cref="Release"/>, until nothing is left. The send pump only.</summary>
    public Segment? TakeBroken()
    {
        lock (_gate)
        {
            if (_queue.TryTake(out Segment? segment) && segment is not null)
            {
                _goodbyeSegment = ReferenceEquals(segment, _goodbyeSegment) ? null : _goodbyeSegment;
                return segment;
            }

            _queue.Discard();
            return null;
        }
    }

    /// <summary>Lets go of a segment of this lane, before it is returned.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="isWritten">Whether it is written; else it never will be.</param>
    public void Release(Segment segment, bool isWritten)
    {
        lock (_gate)
        {
            _bytes -= segment.Used;
            _isAnswerWritten |= isWritten && ReferenceEquals(segment, _answerSegment);
            _isGoodbyeWritten |= isWritten && ReferenceEquals(segment, _goodbyeSegment);
        }
    }

    /// <summary>Takes the next segment. Under the lock, so that no formatter can be at work.</summary>
    private Segment? TakeComposed() => _queue.TryTake(out Segment? segment) ? segment : null;

    /// <summary>Composes what is due at once if the reserve has capacity, else leaves it to the send pump. Under the lock.</summary>
    private void ComposeIfCapacity()
    {
        _isDue = true;
        if (_end.State != SendState.Broken && _bytes <= Reserve)
        {
            ComposeDue();
        }
    }

    /// <summary>Appends the level and the Ack that are due; not an Ack that goes directly before this side's own Goodbye. Under the
    /// lock.</summary>
    private void ComposeDue()
    {
        ComposeLevel();
        if (!_isAckForced || !_end.IsGoodbyeDue)
        {
            ComposeAck();
        }

        _isDue = false;
    }

    /// <summary>Appends an Ack if there is something to say. Under the lock.</summary>
    private void ComposeAck()
    {
        if (_ackWanted <= _ackComposed && !_isAckForced)
        {
            return;
        }

        Compose(ControlType.Ack, (Packets: _ackWanted, Misses: _misses.Read()), static (output, ack) =>
            ControlBody.WriteAck(output, ack.Packets, ack.Misses));
        _ackComposed = _ackWanted;
        if (_isAckForced)
        {
            // What was committed last always stands in the open segment, whatever was sealed before it.
            _answerSegment = _queue.Open;
            _isAckForced = false;
        }
    }

    /// <summary>Appends the latest level if the peer does not know it. Under the lock.</summary>
    private void ComposeLevel()
    {
        if (_levelWanted is { } level && _end.State < SendState.Sealed)
        {
            Compose(ControlType.SetLevel, level, static (output, wanted) => ControlBody.WriteSetLevel(output, wanted));
            _levelWanted = null;
        }
    }

    /// <summary>The last level and Ack, then Goodbye, if it is still due then. Under the lock.</summary>
    private void ComposeGoodbye(long packets)
    {
        if (_end.State != SendState.Broken)
        {
            ComposeLevel();
            ComposeAck();
        }

        if (_end.TakeGoodbye() is not { } goodbye)
        {
            return;   // broken meanwhile, with a wire that takes nothing more
        }

        Compose(ControlType.Goodbye, (Packets: packets, Goodbye: goodbye), static (output, last) => ControlBody.WriteGoodbye(
            output, last.Packets, last.Goodbye.Reason, last.Goodbye.Refused, last.Goodbye.Detail));
        _goodbyeSegment = _queue.Open;
    }

    /// <summary>Appends a control packet, or throws and appends nothing. Under the lock.</summary>
    private void Compose<T>(ushort type, T content, Action<IBufferWriter<byte>, T> body)
    {
        FrameWriter frames = _queue.Frames;
        try
        {
            frames.Begin(type, FrameHeader.MaxBody);
            body(frames, content);
            _bytes += frames.End(packets: 0);
        }
        catch
        {
            frames.Rollback();
            throw;
        }
    }
}
