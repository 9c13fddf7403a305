using System;
using System.Threading;

namespace Transport;

/// <content>What the peer says that it has handled, as far as that can be.</content>
public sealed partial class Link
{
    /// <summary>The least that a packet takes on the wire: a header and one byte.</summary>
    private const int LeastPacket = FrameHeader.Size + 1;

    private long _excessAck;

    /// <summary>Takes an Ack. One that says more than was sent changes nothing; whether it is a lie shows when the next pulse comes by.</summary>
    private void TakeAck(long packets)
    {
        if (packets <= MaxPossiblySent())
        {
            Volatile.Write(ref _acknowledged, Math.Max(_acknowledged, packets));
        }
        else
        {
            Volatile.Write(ref _excessAck, packets);
        }
    }

    /// <summary>Ends the link of a peer that acknowledges what was never sent. Not where a write has failed: of what it wrote in part, the peer may know more than this side.</summary>
    private void ValidateAck()
    {
        long said = Volatile.Read(ref _excessAck);
        if (said == 0 || _queue.IsClosed || _writeError is not null)
        {
            return;
        }

        if (said > MaxPossiblySent())
        {
            Fail(new LinkCause(TransportFault.PacketMalformed, $"The peer's Ack says that {said} packets are handled, {_queue.PacketsWritten} were sent.", null, TellPeer: true));
        }
        else
        {
            Volatile.Write(ref _excessAck, 0);
        }
    }

    /// <summary>A write is counted when it is over, and the peer may be faster: so what is queued may have been sent. Asked in this order, nothing can be missing from both.</summary>
    private long MaxPossiblySent()
    {
        long queued = _queue.QueuedBytes;
        return (queued / LeastPacket) + _queue.PacketsWritten;
    }
}
