using System.Globalization;

namespace Transport.Receiving;

/// <summary>What came of a dead worker's crash-surviving tail: the packets that its sends had answered Queued for and that were not written yet. Immutable.</summary>
/// <param name="Packets">Packets that were delivered from it, after all that came over the wire; part of the received ones.</param>
/// <param name="Lost">Packets that were queued and are gone, as the worker's own count says: they found no room in the tail, or stand behind one that found none or was not sound. Null where that count cannot be read, see <paramref name="Problem"/>.</param>
/// <param name="Problem">What was not sound, for a person: a record, or the file itself (somebody has cut it, made it longer or written into it, or the system cannot read it); null where all was.</param>
public sealed record TailReport(long Packets, long? Lost, string? Problem)
{
    /// <summary>Returns the numbers in words.</summary>
    /// <returns>For example <c>12 from the tail, 0 lost</c>.</returns>
    public override string ToString() =>
        string.Format(CultureInfo.InvariantCulture, "{0} from the tail, {1} lost", Packets, Lost is { } lost ? lost : "nobody knows how many") + (Problem is null ? string.Empty : $" (the tail was not sound: {Problem})");
}
