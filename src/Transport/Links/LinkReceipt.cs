using System;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Globalization;

namespace Transport;

/// <summary>What became of every packet of a link, counted over lanes 1 to 3. Immutable.</summary>
/// <remarks>Packets that set entries of a table (PROTOCOL.md) count like any other packet, here and everywhere else.</remarks>
public sealed record LinkReceipt
{
    /// <summary>Gets the number of packets this side wrote to the wire.</summary>
    public long Sent { get; init; }

    /// <summary>Gets the number of <see cref="Sent"/> packets the peer has handled, as its last acknowledgment said.</summary>
    public long Acknowledged { get; init; }

    /// <summary>Gets the number of packets that arrived here whole.</summary>
    /// <remarks>Each of them is <see cref="Handled"/>, <see cref="Unhandled"/>, one of <see cref="HandlerFailures"/>, or still with a
    /// handler that has not returned, or a loop that has not taken the next.</remarks>
    public long Received { get; init; }

    /// <summary>Gets the number of <see cref="Received"/> packets whose handlers ran to their end without an exception.</summary>
    /// <remarks>Packets of the protocol, such as requests and table entries, have the link itself as their handler. A request whose handler
    /// throws counts as handled: its response reports the exception.</remarks>
    public long Handled { get; init; }

    /// <summary>Gets the number of packets the peer's Goodbye said it had sent; null if none arrived that could be read.</summary>
    /// <remarks>A Goodbye with another number than <see cref="Received"/> ends the link with
    /// <see cref="TransportFault.PacketMalformed"/>.</remarks>
    public long? PeerSent { get; init; }

    /// <summary>Gets the number of packets this side dropped: under <see cref="LanePolicy.Drop"/>, which it reported to the peer, or
    /// because they were still queued when the link broke.</summary>
    public long Dropped { get; init; }

    /// <summary>Gets <see cref="Dropped"/> by log level, without levels that lost nothing.</summary>
    public IReadOnlyDictionary<PacketLevel, long> DroppedByLevel { get; init; } = None;

    /// <summary>Gets the number of packets the peer reported as dropped.</summary>
    public long PeerDropped { get; init; }

    /// <summary>Gets <see cref="PeerDropped"/> by log level; empty if the peer reported none.</summary>
    public IReadOnlyDictionary<PacketLevel, long> PeerDroppedByLevel { get; init; } = None;

    /// <summary>Gets the number of <see cref="Received"/> packets the peer may be told are handled. Without a store those are all but the
    /// one whose failure ended the link; with one (<see cref="PacketRouter.UseStore"/>), those that it has flushed.</summary>
    public long Flushed { get; init; }

    /// <summary>Gets the number of <see cref="Received"/> packets without a handler: none for their type, and none for unknown packets; or
    /// whose loop (<c>PacketRouter.ReadAllAsync</c>) had been left. They count as handled for the peer.</summary>
    public long Unhandled { get; init; }

    /// <summary>Gets the number of <see cref="Received"/> packets that were not handled because their handler or the store threw, or their
    /// body is malformed.</summary>
    /// <remarks>The first failure ends the link, unless <see cref="LinkOptions.EndOnHandlerFailure"/> is off: then a packet whose handler
    /// threw counts as handled for the peer.</remarks>
    public long HandlerFailures { get; init; }

    /// <summary>Gets the number of packets that were delivered from an exited worker's tail (<see cref="MainNodeOptions.TailBytes"/>),
    /// after everything that came over the wire; they are among <see cref="Received"/>. Null if there was nothing to recover, or no
    /// tail.</summary>
    public long? TailPackets => Tail?.Packets;

    /// <summary>Gets the number of packets that the worker had queued and that are lost, by its own count in the tail; null if that cannot
    /// be read, or there was no tail to read.</summary>
    /// <remarks>They found no capacity in the tail, stand behind one that found none or was not valid, or were not replayed because the
    /// link had ended with a fault.</remarks>
    public long? TailLost => Tail?.Lost;

    /// <summary>Gets a sentence on the fault of the tail; null if it has none.</summary>
    /// <remarks>A record was not valid; or the file itself was cut, extended, overwritten or unreadable; or it was not read because the
    /// process still runs.</remarks>
    public string? TailProblem => Tail?.Problem;

    /// <summary>Gets what was recovered from an exited worker's tail; null if there was nothing to recover, or no tail.</summary>
    internal TailReport? Tail { get; init; }

    /// <summary>Gets the number of <see cref="Acknowledged"/> packets for which the peer had no handler, as its acknowledgments said: an older
    /// worker under a newer main node, for one. 0 too if the peer's version does not say.</summary>
    public long PeerUnhandled { get; init; }

    /// <summary>Gets the number of <see cref="Acknowledged"/> packets whose handler threw at the peer, as its acknowledgments said; a link
    /// whose peer goes on after that (<see cref="LinkOptions.EndOnHandlerFailure"/>). 0 too if the peer's version does not say.</summary>
    public long PeerHandlerFailures { get; init; }

    /// <summary>Gets how many sends of this side were answered Full under <see cref="LanePolicy.Refuse"/>. What their callers did then, send
    /// the packet again or give it up, is not known, so this is no count of losses.</summary>
    /// <remarks>
    /// Each call counts once, by its final answer: what <c>SendAsync</c> and a timed <c>Send</c> try while they wait does not count.
    /// A caller that repeats <c>TrySend</c> until it succeeds is counted at each Full. A wait that ends with
    /// <see cref="TransportFault.HandlerBlocked"/> counts too.
    /// </remarks>
    public long Refused { get; init; }

    /// <summary>Gets how many sends of this side came too late: they were answered Closed, so nothing was taken.</summary>
    /// <remarks>The only number that still grows after the link's end, in <see cref="Link.Receipt"/>.</remarks>
    public long TooLate { get; init; }

    /// <summary>Gets how many sends of the peer were answered Full, as its Goodbye reported; 0 if it reported none.</summary>
    public long PeerRefused { get; init; }

    /// <summary>
    /// Gets a value indicating whether no loss is known: the peer acknowledged everything that this side sent, and neither side dropped a
    /// packet.
    /// </summary>
    /// <remarks>
    /// Not known is not proven: it does not say that everything the peer sent has arrived (compare <see cref="Received"/> with
    /// <see cref="PeerSent"/>), nor that the handlers of either side succeeded. Sends that were answered Full or Closed
    /// (<see cref="Refused"/>, <see cref="TooLate"/>) told their callers that nothing was taken; they are reported, and no loss.
    /// </remarks>
    public bool NoLossKnown => Sent == Acknowledged && Dropped == 0 && PeerDropped == 0;

    /// <summary>Gets the number of received packets that count for an Ack once they are flushed; see <see cref="PacketDispatcher.Handled"/>.
    /// </summary>
    internal long Taken { get; init; }

    /// <summary>Gets the number of received packets that were with a handler when this was read.</summary>
    internal long InHandler => Math.Max(0, Received - Handled - Unhandled - HandlerFailures);

    private static IReadOnlyDictionary<PacketLevel, long> None { get; } =
        new ReadOnlyDictionary<PacketLevel, long>(new Dictionary<PacketLevel, long>());

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

    /// <summary>Says in words how far the link has come, for the cause of its end.</summary>
    internal string Standing(long queuedBytes) => FormattableString.Invariant(
        $": {Sent} packets sent, {Acknowledged} acknowledged, {queuedBytes} bytes still queued");

    /// <summary>Returns the numbers in one line for a person.</summary>
    /// <returns>
    /// For example <c>sent 3, acknowledged 3, dropped 0, answered Full 0; received 7 of 7, handled 7, unhandled 0, failed 0, dropped by the
    /// peer 0, answered Full at the peer 0</c>; then what else there is.
    /// </returns>
    public override string ToString() => string.Format(
        CultureInfo.InvariantCulture,
        "sent {0}, acknowledged {1}, dropped {2}, answered Full {3}; received {4} of {5}, handled {6}, unhandled {7}, failed {8}, dropped by "
            + "the peer {9}, answered Full at the peer {10}",
        Sent,
        Acknowledged,
        Dropped,
        Refused,
        Received,
        PeerSent is { } all ? all.ToString(CultureInfo.InvariantCulture) : "?",
        Handled,
        Unhandled,
        HandlerFailures,
        PeerDropped,
        PeerRefused) + If(TooLate, ", too late {0}") + If(PeerUnhandled, ", unhandled by the peer {0}")
        + If(PeerHandlerFailures, ", failed at the peer {0}")
        + (Tail is null ? string.Empty : ", " + Tail);

    private static string If(long number, string format) =>
        number == 0 ? string.Empty : string.Format(CultureInfo.InvariantCulture, format, number);
}
