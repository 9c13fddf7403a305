using System;
using System.Buffers;

namespace Transport;

/// <summary>
/// The control lane: what this side reports to the peer beside packets (Ping, Pong, SetLevel, Ack), and how this direction ends.
/// </summary>
/// <remarks>
/// Any thread notes what is to be said, under this lane's lock, and then rings. What finds capacity is composed at once; the send pump
/// composes the rest. Under this lock no other lane's is taken, so that a formatter, which holds its lane's, may ask for all that is here.
/// </remarks>
internal sealed class ControlLane
{
    /// <summary>What the control lane may hold on top of the budget, in bytes, so that throttling cannot deadlock. Over it Ping and Pong
    /// are left out, and only the latest Ack and level are kept; Goodbye is always composed.</summary>
    private const int Reserve = 64 << 10;

    private readonly object _gate = new();   // over everything below
    private readonly LaneQueue _queue;
    private readonly WaitingLine _capacity;
    private readonly Action<bool> _ring;

    // Written under the lock. A sender looks at it under its lane's lock, which the pump takes after it has seen that Goodbye is due: what
    // the pump finds empty then stays empty.
    private volatile SendState _state;
    private bool _isDue;                 // an Ack or a level is to be composed
    private long _ackWanted;
    private long _ackComposed;
    private bool _isAckForced;           // also if the peer knows the number: it answers Goodbye
    private LevelRules? _levelWanted;    // what the peer does not know yet
    private bool _isGoodbyeDue;          // as soon as nothing is queued
    private string _goodbyeReason = string.Empty;
    private string _goodbyeDetail = string.Empty;
    private long _refused;
    private long _bytes;
    private Segment? _answerSegment;
    private Segment? _goodbyeSegment;
    private bool _isAnswerWritten;
    private bool _isGoodbyeWritten;

    /// <summary>Initializes a new instance of the <see cref="ControlLane"/> class.</summary>
    /// <param name="pool">Gives it its segments.</param>
    /// <param name="capacity">The line of the senders that wait; they are woken if this direction closes.</param>
    /// <param name="ring">Wakes the send pump; true if it must not wait for a batch that gathers.</param>
    public ControlLane(SegmentPool pool, WaitingLine capacity, Action<bool> ring)
    {
        _queue = new LaneQueue(pool, Lane.Control, LanePolicy.Refuse, _gate);
        _capacity = capacity;
        _ring = ring;
    }

    /// <summary>Gets where this direction stands.</summary>
    public SendState State => _state;

    /// <summary>Gets a value indicating whether sends are answered Closed.</summary>
    public bool IsClosed => _state != SendState.Accepting;

    /// <summary>Gets the packets that were answered Full and given back to their sender.</summary>
    public long Refused
    {
        get
        {
            lock (_gate)
            {
                return _refused;
            }
        }
    }

    /// <summary>Gets a value indicating whether Goodbye is to be written once nothing is queued.</summary>
    public bool IsGoodbyeDue
    {
        get
        {
            lock (_gate)
            {
                return _isGoodbyeDue;
            }
        }
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

    /// <summary>Sets what gives the packets that count as handled and were not. Set once, before anything is queued; called under the
    /// lock.</summary>
    public Func<HandlerMisses> Misses { private get; set; } = static () => default;

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
            SendState end = type == ControlType.Pong ? SendState.Broken : SendState.Sealed;
            if (_state >= end || _bytes > Reserve)
            {
                return false;
            }

            Compose(type, body, static (output, write) => write(output));
        }

        _ring(now);
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

        _ring(true);
    }

    /// <summary>Reports which packets the peer is to send. The peer is notified each level; while it does not read, only the
    /// latest.</summary>
    /// <returns>False if the link takes nothing new.</returns>
    public bool SetLevel(LevelRules level)
    {
        lock (_gate)
        {
            if (IsClosed)
            {
                return false;
            }

            _levelWanted = level;
            ComposeIfCapacity();
        }

        _ring(false);
        return true;
    }

    /// <summary>Counts a packet that was given back to its sender, unless the queue was closed meanwhile: Goodbye may already contain
    /// the count.</summary>
    /// <returns>False if it was closed.</returns>
    public bool TryRefuse()
    {
        lock (_gate)
        {
            _refused += IsClosed ? 0 : 1;
            return !IsClosed;
        }
    }

    /// <summary>Takes nothing new; what is queued is still written.</summary>
    public void Seal() => Close(static () => { });

    /// <summary>The peer has said Goodbye: takes nothing new. What is queued is still written, then the Ack that answers, then this side's
    /// Goodbye; the Ack alone if Goodbye is written already.</summary>
    /// <param name="handled">How many of the peer's packets are handled.</param>
    public void Answer(long handled) => Close(() =>
    {
        _ackWanted = handled;
        _isAckForced = true;
        _isDue = true;
        _isGoodbyeDue |= _state <= SendState.Draining;
    });

    /// <summary>Takes nothing new; what is queued is still written, then Goodbye.</summary>
    public void Complete(string reason) => Close(() =>
    {
        if (_isGoodbyeDue || _state > SendState.Draining)
        {
            return;
        }

        // A caller's text must not read as a fault of this link.
        reason = PeerText.Cut(reason);
        _goodbyeReason = FaultNames.Parse(reason) == TransportFault.None ? reason : "closed: " + reason;
        _isGoodbyeDue = true;
    });

    /// <summary>Takes nothing new and gives up what is queued. Goodbye with the reason is written if that takes no waiting.</summary>
    /// <param name="goodbyeReason">The fault's name, or null: nothing can be written any more.</param>
    /// <param name="detail">The text about the fault for the peer; empty: none.</param>
    public void Break(string? goodbyeReason, string detail = "") => Close(() =>
    {
        if (goodbyeReason is null)
        {
            _isGoodbyeDue = false;   // also if it was broken before: a wire that has failed must not get a Goodbye behind half a segment
        }
        else if (_state <= SendState.Draining)
        {
            _goodbyeReason = goodbyeReason;
            _goodbyeDetail = PeerText.Cut(detail);
            _isGoodbyeDue = true;
        }

        _state = SendState.Broken;
    });

    /// <summary>Checks whether there is something to write or to compose. The send pump only.</summary>
    public bool HasWork()
    {
        lock (_gate)
        {
            return _isGoodbyeDue || (_isDue && _state != SendState.Broken) || _queue.HasWork();
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

            return _queue.Take();
        }
    }

    /// <summary>Composes a Dropped packet before Goodbye, if that is still due. The send pump only.</summary>
    public void Report(byte[] dropped)
    {
        lock (_gate)
        {
            if (_isGoodbyeDue && _state != SendState.Broken)
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
            if (_isGoodbyeDue)
            {
                ComposeGoodbye(packets);
            }

            return _queue.Take();
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

    /// <summary>Closes the queue to new packets, with what else changes at that moment; then wakes all that wait for it.</summary>
    private void Close(Action change)
    {
        lock (_gate)
        {
            // First: the pump takes a Goodbye that is due to mean that nothing new can be queued.
            if (_state == SendState.Accepting)
            {
                _state = SendState.Draining;
            }

            change();
        }

        _capacity.Release();
        _ring(true);
    }

    /// <summary>Composes what is due at once if the reserve has capacity, else leaves it to the send pump. Under the lock.</summary>
    private void ComposeIfCapacity()
    {
        _isDue = true;
        if (_state != SendState.Broken && _bytes <= Reserve)
        {
            ComposeDue();
        }
    }

    /// <summary>Appends the level and the Ack that are due; not an Ack that goes directly before this side's own Goodbye. Under the
    /// lock.</summary>
    private void ComposeDue()
    {
        ComposeLevel();
        if (!_isAckForced || !_isGoodbyeDue)
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

        Compose(ControlType.Ack, (Packets: _ackWanted, Misses: Misses()), static (output, ack) =>
            ControlBody.WriteAck(output, ack.Packets, ack.Misses));
        _ackComposed = _ackWanted;
        if (_isAckForced)
        {
            // What was committed last always stands in the open segment, whatever was sealed before it.
            _answerSegment = _queue.Frames.Open;
            _isAckForced = false;
        }
    }

    /// <summary>Appends the latest level if the peer does not know it. Under the lock.</summary>
    private void ComposeLevel()
    {
        if (_levelWanted is { } level && _state < SendState.Sealed)
        {
            Compose(ControlType.SetLevel, level, static (output, wanted) => ControlBody.WriteSetLevel(output, wanted));
            _levelWanted = null;
        }
    }

    /// <summary>The last level and Ack, then Goodbye. Under the lock.</summary>
    private void ComposeGoodbye(long packets)
    {
        if (_state != SendState.Broken)
        {
            ComposeLevel();
            ComposeAck();
        }

        Compose(ControlType.Goodbye, (Lane: this, Packets: packets), static (output, end) => ControlBody.WriteGoodbye(
            output, end.Packets, end.Lane._goodbyeReason, end.Lane._refused, end.Lane._goodbyeDetail));
        _goodbyeSegment = _queue.Frames.Open;
        _isGoodbyeDue = false;
        _state = _state == SendState.Broken ? _state : SendState.Sealed;
    }

    /// <summary>Appends a control packet, or throws and appends nothing. Under the lock.</summary>
    private void Compose<T>(ushort type, T content, Action<IBufferWriter<byte>, T> body)
    {
        try
        {
            _queue.Begin(type, FrameHeader.MaxBody);
            body(_queue.Frames, content);
            _bytes += _queue.Frames.End();
        }
        catch
        {
            _queue.Frames.Rollback();
            throw;
        }

        _queue.Commit(packets: 0);
    }
}
