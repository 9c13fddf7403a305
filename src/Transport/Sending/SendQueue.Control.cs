using System;
using System.Buffers;
using System.Threading;
using Transport.Buffers;
using Transport.Packets;

namespace Transport.Sending;

/// <content>The control lane: Ping, Pong, SetLevel, Ack, and the end of this direction.</content>
internal sealed partial class SendQueue
{
    /// <summary>Queues one of Ping, Pong and SetLevel.</summary>
    /// <returns>False where the control reserve is used up, or the link no longer sends such packets.</returns>
    public bool TrySendControl(ushort type, Action<IBufferWriter<byte>> body)
    {
        LaneQueue control = _lanes[0];
        lock (control.Gate)
        {
            if (_broken || (_closing && type != ControlType.Pong) || _controlBytes > ControlReserve)
            {
                return false;
            }

            Compose(type, body);
        }

        _ring();
        return true;
    }

    /// <summary>Says how many of the peer's packets are handled; the send loop tells the peer the latest number.</summary>
    /// <param name="packets">The number.</param>
    /// <param name="force">Whether to tell even a number that was told before: the answer to Goodbye.</param>
    public void Acknowledge(long packets, bool force)
    {
        Volatile.Write(ref _ackWanted, packets);
        if (force)
        {
            Volatile.Write(ref _ackForced, 1);
        }

        // No lock orders this number and the loop's going to sleep, so a fence does.
        Interlocked.MemoryBarrier();
        _ring();
    }

    /// <summary>Takes nothing new; what is queued is still written, then Goodbye.</summary>
    public void Complete(string reason)
    {
        lock (_lanes[0].Gate)
        {
            if (_closing)
            {
                return;
            }

            _goodbyeReason = reason.Length <= MaxReason ? reason : reason.Substring(0, MaxReason);
            _closing = true;
        }

        Interlocked.MemoryBarrier();
        Room.Release();
        _ring();
    }

    /// <summary>Takes nothing new and gives up what is queued. Goodbye with the reason is written where that takes no waiting.</summary>
    /// <param name="goodbyeReason">The fault's name, or null: nothing can be written any more.</param>
    public void Break(string? goodbyeReason)
    {
        lock (_lanes[0].Gate)
        {
            if (_broken)
            {
                return;
            }

            if (goodbyeReason is null || _goodbyeComposed)
            {
                _goodbyeComposed = true;
            }
            else
            {
                _goodbyeReason = goodbyeReason;
            }

            _closing = true;
            _broken = true;
        }

        Interlocked.MemoryBarrier();
        Room.Release();
        _ring();
    }

    /// <summary>Appends a control packet. Under the control lane's lock.</summary>
    private void Compose(ushort type, Action<IBufferWriter<byte>> body)
    {
        LaneQueue control = _lanes[0];
        control.Begin(type, FrameHeader.MaxBody);
        body(control.Frames);
        _controlBytes += control.Frames.End();
        control.Commit(packets: 0);
    }

    private void ComposeAck()
    {
        // In this order: the number that a forced Ack was asked with must not be missed.
        bool forced = Interlocked.Exchange(ref _ackForced, 0) == 1;
        long wanted = Volatile.Read(ref _ackWanted);
        if (wanted <= _ackComposed && !forced)
        {
            return;
        }

        LaneQueue control = _lanes[0];
        lock (control.Gate)
        {
            control.Begin(ControlType.Ack, FrameHeader.MaxBody);
            ControlBody.WriteAck(control.Frames, wanted);
            _controlBytes += control.Frames.End();
            control.Commit(packets: 0);
            if (forced)
            {
                // What was committed last always stands in the open segment, whatever was sealed before it.
                _answerSegment = control.Frames.Open;
            }
        }

        _ackComposed = wanted;
    }

    /// <summary>What is dropped and untold, the last Ack, then Goodbye. Under the control lane's lock.</summary>
    private void ComposeGoodbye()
    {
        LaneQueue control = _lanes[0];
        for (int i = 1; i < _lanes.Length && !_broken; i++)
        {
            lock (_lanes[i].Gate)
            {
                DropLedger drops = _lanes[i].Drops;
                if (drops.IsUntold)
                {
                    byte[] frame = drops.Frame().Slice(FrameHeader.Size).ToArray();
                    Compose(ControlType.Dropped, output => output.Write(frame));
                    drops.Told();
                }
            }
        }

        if (!_broken)
        {
            ComposeAck();
        }

        control.Begin(ControlType.Goodbye, FrameHeader.MaxBody);
        ControlBody.WriteGoodbye(control.Frames, _packetsWritten, _goodbyeReason);
        _controlBytes += control.Frames.End();
        control.Commit(packets: 0);
        _goodbyeSegment = control.Frames.Open;
        _goodbyeComposed = true;
    }
}
