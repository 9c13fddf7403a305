using System;

namespace Transport;

/// <summary>Adds up what has become of a link's packets so far. Any thread.</summary>
internal sealed class LinkBook(
    SendQueue queue, AckLedger acks, PeerLosses losses, MissCounts misses, LinkCounters counters, LinkFlow flow) : ILinkSums
{
    /// <inheritdoc/>
    public long QueuedBytes => queue.QueuedBytes;

    /// <inheritdoc/>
    public void AddTo(long[] sums)
    {
        counters.AddTo(sums);
        sums[LiveLinks.Sums.Refused] += queue.Refused;
        queue.AddDroppedTo(sums);
    }

    /// <summary>Returns the counts so far.</summary>
    public LinkReceipt Read()
    {
        (long dropped, var byLevel) = queue.Dropped();
        long sent = queue.PacketsWritten;
        PacketDispatcher packets = flow.Receiving.Packets;
        long acknowledged = Math.Min(sent, acks.Acknowledged);
        (long peerDropped, var peerDroppedByLevel, long peerRefused) = losses.Read();
        HandlerMisses peer = losses.Misses;
        long taken = packets.Handled;
        HandlerMisses missed = misses.Read();
        return new LinkReceipt
        {
            Sent = sent, Acknowledged = acknowledged, Received = packets.Arrived, PeerSent = packets.PeerSent,
            Handled = Math.Max(0, taken - missed.Unhandled - missed.Failed), Flushed = Math.Min(taken, packets.Safe), Taken = taken,
            Dropped = dropped, DroppedByLevel = byLevel, PeerDropped = peerDropped, PeerDroppedByLevel = peerDroppedByLevel,
            HandlerFailures = missed.Failed + packets.Broken, Unhandled = missed.Unhandled,
            Refused = queue.Refused, TooLate = counters.ClosedAnswers, PeerRefused = peerRefused,
            PeerUnhandled = peer.Unhandled, PeerHandlerFailures = peer.Failed,
            Tail = flow.Tail?.Report,
        };
    }
}
