using System;

namespace Transport;

/// <summary>Adds up what has become of a link's packets so far. Any thread.</summary>
internal sealed class LinkBook(
    SendQueue queue, AckLedger acks, PeerLosses losses, HandlerFailures failures, LinkCounters counters, LinkFlow flow)
{
    /// <summary>Gets the packets for which there was no handler, or no loop any more.</summary>
    private long Unhandled =>
        (flow.Receiving.Packets.Router.Unknown is null ? counters.UnknownPackets : 0) + (flow.Receiving.Packets.Unread?.Missed ?? 0);

    /// <summary>Returns the peer's packets that count as handled for it, and were not.</summary>
    public HandlerMisses Misses() => new(Unhandled, failures.Count);

    /// <summary>Returns the counts so far.</summary>
    public LinkReceipt Read()
    {
        (long dropped, var byLevel) = queue.Dropped();
        long sent = queue.PacketsWritten;
        PacketDispatcher packets = flow.Receiving.Packets;
        long acknowledged = Math.Min(sent, acks.Acknowledged);
        (long peerDropped, var peerDroppedByLevel, long peerRefused) = losses.Read();
        HandlerMisses peer = losses.Misses;
        long taken = packets.Handled, unhandled = Unhandled;
        return new LinkReceipt
        {
            Sent = sent, Acknowledged = acknowledged, Received = packets.Arrived, PeerSent = packets.PeerSent,
            Handled = Math.Max(0, taken - unhandled - failures.Count), Flushed = Math.Min(taken, packets.Safe), Taken = taken,
            Dropped = dropped, DroppedByLevel = byLevel, PeerDropped = peerDropped, PeerDroppedByLevel = peerDroppedByLevel,
            HandlerFailures = failures.Count + packets.Broken, Unhandled = unhandled,
            Refused = queue.Control.Refused, TooLate = counters.ClosedAnswers, PeerRefused = peerRefused,
            PeerUnhandled = peer.Unhandled, PeerHandlerFailures = peer.Failed,
            Tail = flow.Tail?.Report,
        };
    }
}
