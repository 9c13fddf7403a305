using System.Collections.Generic;

namespace Transport.Links;

/// <summary>What became of every packet of a link, in packets of lanes 1 to 3. Immutable.</summary>
/// <param name="Sent">Packets written to the wire by this side.</param>
/// <param name="Acknowledged">Of those, how many the peer has handled, as far as it said.</param>
/// <param name="Received">Packets received whole from the peer and handled here.</param>
/// <param name="PeerSent">What the peer's Goodbye said it had sent; null where none came.</param>
/// <param name="Dropped">Packets that this side refused or gave up and told the peer about (lane policy Drop), plus what was queued when the link broke.</param>
/// <param name="DroppedByLevel">The dropped ones by log level (0 Trace to 5 Critical, 6 without a level).</param>
/// <param name="PeerDropped">What the peer said that it dropped.</param>
public sealed record LinkReceipt(
    long Sent,
    long Acknowledged,
    long Received,
    long? PeerSent,
    long Dropped,
    IReadOnlyDictionary<int, long> DroppedByLevel,
    long PeerDropped)
{
    /// <summary>Gets a value indicating whether everything sent was handled by the peer and nothing was dropped.</summary>
    public bool IsComplete => Sent == Acknowledged && Dropped == 0;
}
