using System;
using System.Buffers;
using System.Threading;

namespace Transport;

/// <content>The control lane: Ping, Pong, SetLevel, Ack, and the end of this direction.</content>
internal sealed partial class SendQueue
{
    /// <summary>Queues a Ping (until Goodbye: a peer that has said Goodbye asks nothing more) or a Pong.</summary>
    /// <returns>False if the control reserve is used up, or the link no longer sends such packets.</returns>
    public bool TrySendControl(ushort type, Action<IBufferWriter<byte>> body)
    {
        LaneQueue control = _lanes[0];
        lock (control.Gate)
        {
            SendState end = type == ControlType.Pong ? SendState.Broken : SendState.Sealed;
            if (_state >= end || _controlBytes > ControlReserve)
            {
                return false;
            }

            Compose(type, body, static (output, write) => write(output));
        }

        _ring(false);
        return true;
    }

    /// <summary>Says how many of the peer's packets are handled; while the peer does not read, only the latest number.</summary>
    public void Acknowledge(long packets) => Tell(packets, static (queue, handled) =>
    {
        queue._ackWanted = Math.Max(queue._ackWanted, handled);   // the pulse may come late with an older number
        return true;
    });

    /// <summary>Says which packets the peer is to send. The peer is told each level; where it does not read, only the latest.</summary>
    /// <returns>False where the link takes nothing new.</returns>
    public bool SetLevel(PacketLevel level) => Tell(level, static (queue, wanted) =>
    {
        bool isOpen = !queue.IsClosed;
        queue._levelWanted = isOpen ? wanted : queue._levelWanted;
        return isOpen;
    });

    /// <summary>Takes nothing new; what is queued is still written.</summary>
    public void Seal() => Close(static () => { });

    /// <summary>The peer has said Goodbye: takes nothing new. What is queued is still written, then the Ack that answers, then this side's
    /// Goodbye; the Ack alone if Goodbye is written already.</summary>
    /// <param name="handled">How many of the peer's packets are handled.</param>
    public void Answer(long handled) => Close(() =>
    {
        _ackWanted = handled;
        _ackForced = true;
        _isControlDue = true;
        _goodbyeDue |= _state <= SendState.Draining;
    });

    /// <summary>Takes nothing new; what is queued is still written, then Goodbye.</summary>
    public void Complete(string reason) => Close(() =>
    {
        if (_goodbyeDue || _state > SendState.Draining)
        {
            return;
        }

        // A caller's text must not read as a fault of this link.
        reason = PeerText.Cut(reason);
        _goodbyeReason = FaultNames.Parse(reason) == TransportFault.None ? reason : "closed: " + reason;
        _goodbyeDue = true;
    });

    /// <summary>Takes nothing new and gives up what is queued. Goodbye with the reason is written if that takes no waiting.</summary>
    /// <param name="goodbyeReason">The fault's name, or null: nothing can be written any more.</param>
    /// <param name="detail">The text about the fault for the peer; empty: none.</param>
    public void Break(string? goodbyeReason, string detail = "") => Close(() =>
    {
        if (goodbyeReason is null)
        {
            _goodbyeDue = false;   // also if it was broken before: a wire that has failed must not get a Goodbye behind half a segment
        }
        else if (_state <= SendState.Draining)
        {
            _goodbyeReason = goodbyeReason;
            _goodbyeDetail = PeerText.Cut(detail);
            _goodbyeDue = true;
        }

        _state = SendState.Broken;
    });

    /// <summary>Notes what the peer is to be told. It is composed at once if the reserve has room, else by the send loop.</summary>
    /// <param name="news">What is to be told.</param>
    /// <param name="note">Notes it; under the control lane's lock. False: the peer is not told.</param>
    private bool Tell<T>(T news, Func<SendQueue, T, bool> note)
    {
        lock (_lanes[0].Gate)
        {
            if (!note(this, news))
            {
                return false;
            }

            _isControlDue = true;
            if (_state != SendState.Broken && _controlBytes <= ControlReserve)
            {
                ComposeDue();
            }
        }

        Interlocked.MemoryBarrier();
        _ring(false);
        return true;
    }

    /// <summary>Closes the queue to new packets, with what else changes at that moment; then wakes all that wait for it.</summary>
    private void Close(Action change)
    {
        lock (_lanes[0].Gate)
        {
            // First: the pump takes a Goodbye that is due to mean that nothing new can be queued.
            if (_state == SendState.Accepting)
            {
                _state = SendState.Draining;
            }

            change();
        }

        Interlocked.MemoryBarrier();
        Room.Release();
        _ring(true);
    }

    /// <summary>Appends a control packet, or throws and appends nothing. Under the control lane's lock.</summary>
    private void Compose<T>(ushort type, T content, Action<IBufferWriter<byte>, T> body)
    {
        LaneQueue control = _lanes[0];
        try
        {
            control.Begin(type, FrameHeader.MaxBody);
            body(control.Frames, content);
            _controlBytes += control.Frames.End();
        }
        catch
        {
            control.Frames.Rollback();
            throw;
        }

        control.Commit(packets: 0);
    }

    /// <summary>Gets a value indicating whether the next Ack answers Goodbye: it stands directly before this side's own.</summary>
    private bool AnswerWaits => _ackForced && _goodbyeDue;

    /// <summary>Appends an Ack if there is something to say. Under the control lane's lock.</summary>
    private void ComposeAck()
    {
        if (_ackWanted <= _ackComposed && !_ackForced)
        {
            return;
        }

        Compose(ControlType.Ack, _ackWanted, static (output, packets) => ControlBody.WriteAck(output, packets));
        _ackComposed = _ackWanted;
        if (_ackForced)
        {
            // What was committed last always stands in the open segment, whatever was sealed before it.
            _answerSegment = _lanes[0].Frames.Open;
            _ackForced = false;
        }
    }

    /// <summary>Appends the latest level if the peer does not know it. Under the control lane's lock.</summary>
    private void ComposeLevel()
    {
        if (_levelWanted is { } level && _state < SendState.Sealed)
        {
            Compose(ControlType.SetLevel, level, static (output, wanted) => ControlBody.WriteSetLevel(output, wanted));
            _levelWanted = null;
        }
    }

    /// <summary>Appends the level and the Ack that are due; not an Ack that goes directly before this side's own Goodbye. Under the control
    /// lane's lock.</summary>
    private void ComposeDue()
    {
        ComposeLevel();
        if (!AnswerWaits)
        {
            ComposeAck();
        }

        _isControlDue = false;
    }

    /// <summary>Appends what could not be appended when it was due. The send loop only.</summary>
    private void ComposeLeftOut()
    {
        if (_isControlDue)
        {
            lock (_lanes[0].Gate)
            {
                ComposeDue();
            }
        }
    }

    /// <summary>What is dropped and untold, the last level and Ack, then Goodbye. Under the control lane's lock.</summary>
    private void ComposeGoodbye()
    {
        for (int i = 1; i < _lanes.Length && _state != SendState.Broken; i++)
        {
            lock (_lanes[i].Gate)
            {
                DropLedger drops = _lanes[i].Drops;
                if (drops.HasUnreported)
                {
                    byte[] frame = drops.Frame().Slice(FrameHeader.Size).ToArray();
                    Compose(ControlType.Dropped, frame, static (output, report) => output.Write(report));
                    drops.MarkReported();
                }
            }
        }

        if (_state != SendState.Broken)
        {
            ComposeLevel();
            ComposeAck();
        }

        Compose(ControlType.Goodbye, this, static (output, queue) => ControlBody.WriteGoodbye(
            output, queue._packetsWritten, queue._goodbyeReason, queue.Refused, queue._goodbyeDetail));
        _goodbyeSegment = _lanes[0].Frames.Open;
        _goodbyeDue = false;
        _state = _state == SendState.Broken ? _state : SendState.Sealed;
    }
}
