using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Globalization;

namespace Transport;

/// <summary>What became of every packet of a link, in packets of lanes 1 to 3. Immutable.</summary>
/// <param name="Sent">Packets written to the wire by this side. Those that set entries of its tables (<see cref="LinkCaps"/>) are packets like any other, here and wherever packets are counted.</param>
/// <param name="Acknowledged">Of those, how many the peer has handled, as far as it said.</param>
/// <param name="Received">Packets received whole from the peer and handled here.</param>
/// <param name="PeerSent">What the peer's Goodbye said it had sent, be it true or not (a Goodbye that says another number than came ends the link with PacketMalformed); null where none came that could be read.</param>
/// <param name="Dropped">Packets that this side refused or gave up and told the peer about (lane policy Drop), plus what was queued when the link broke.</param>
/// <param name="DroppedByLevel">The dropped ones by log level; <see cref="PacketLevel.None"/>: without one.</param>
/// <param name="PeerDropped">What the peer said that it dropped.</param>
public sealed record LinkReceipt(
    long Sent,
    long Acknowledged,
    long Received,
    long? PeerSent,
    long Dropped,
    IReadOnlyDictionary<PacketLevel, long> DroppedByLevel,
    long PeerDropped)
{
    /// <summary>Gets what the peer said that it dropped, by log level; empty if it reported none.</summary>
    public IReadOnlyDictionary<PacketLevel, long> PeerDroppedByLevel { get; init; } = None;

    /// <summary>Gets how many of <see cref="Received"/> are safe, so that the peer was told, or would have been had it waited; fewer only if a store takes them (<c>PacketRouter.UseStore</c>) and has not flushed them.</summary>
    public long Safe { get; init; } = Received;

    /// <summary>Gets how many of <see cref="Received"/> nobody had asked for: no handler for their type, and none for unknown packets. They count as handled for the peer.</summary>
    public long Unhandled { get; init; }

    /// <summary>
    /// Gets how many of <see cref="Received"/> made their handler throw, under <see cref="HandlerFailure.Report"/>. They count as handled
    /// for the peer.
    /// </summary>
    public long HandlerFailures { get; init; }

    /// <summary>Gets what came of the tail that a dead worker left (<c>MainNodeOptions.TailBytes</c>); null where there was nothing to recover, or no tail.</summary>
    public TailReport? Tail { get; init; }

    /// <summary>
    /// Gets how many packets this side refused: their sends were answered Full under <see cref="Transport.LanePolicy.Refuse"/>, so they
    /// were not sent.
    /// </summary>
    /// <remarks>
    /// Each call counts once, by its final answer: what <c>SendAsync</c> and a timed <c>Send</c> try while they wait does not count.
    /// A caller that repeats <c>TrySend</c> until it succeeds is counted at each Full. A wait that ends with
    /// <see cref="TransportFault.HandlerBlocked"/> counts too.
    /// </remarks>
    public long Refused { get; init; }

    /// <summary>Gets how many packets the peer refused, as its Goodbye reported; 0 if it reported none.</summary>
    public long PeerRefused { get; init; }

    /// <summary>
    /// Gets a value indicating whether no loss is known: the peer handled everything that this side sent, and neither side dropped or
    /// refused a packet.
    /// </summary>
    /// <remarks>
    /// It does not say that everything the peer sent has arrived: compare <see cref="Received"/> with <see cref="PeerSent"/>.
    /// </remarks>
    public bool IsComplete => Sent == Acknowledged && Dropped == 0 && Refused == 0 && PeerDropped == 0 && PeerRefused == 0;

    private static IReadOnlyDictionary<PacketLevel, long> None { get; } = new ReadOnlyDictionary<PacketLevel, long>(new Dictionary<PacketLevel, long>());

    /// <summary>Makes a map of counts, without those that are 0.</summary>
    internal static IReadOnlyDictionary<PacketLevel, long> ByLevel(long[]? counts)
    {
        SortedDictionary<PacketLevel, long>? byLevel = null;
        for (int level = 0; level < counts?.Length; level++)
        {
            long packets = counts[level];
            if (packets > 0)
            {
                (byLevel ??= []).Add((PacketLevel)level, packets);
            }
        }

        return byLevel ?? None;
    }

    /// <summary>Returns the numbers in one line for a person.</summary>
    /// <returns>
    /// For example <c>sent 3, acknowledged 3, dropped 0, refused 0; received 7 of 7, unhandled 0, dropped by the peer 0, refused by the
    /// peer 0</c>.
    /// </returns>
    public override string ToString() => string.Format(
        CultureInfo.InvariantCulture,
        "sent {0}, acknowledged {1}, dropped {2}, refused {3}; received {4} of {5}, unhandled {6}, dropped by the peer {7}, refused by the peer {8}",
        Sent,
        Acknowledged,
        Dropped,
        Refused,
        Received,
        PeerSent is { } all ? all.ToString(CultureInfo.InvariantCulture) : "?",
        Unhandled,
        PeerDropped,
        PeerRefused) + (Tail is null ? string.Empty : ", " + Tail);
}
