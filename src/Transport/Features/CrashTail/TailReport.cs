using System.Globalization;

namespace Transport;

/// <summary>What came of a dead worker's crash-surviving tail: the packets that its sends had answered Queued for and that were not written yet. Immutable.</summary>
/// <param name="Packets">Packets that were delivered from it, after all that came over the wire; part of the received ones.</param>
/// <param name="Lost">Packets that were queued and are gone, as the worker's own count says: they found no room in the tail, stand behind
/// one that found none or was not sound, or were not replayed because the link had ended for a fault. Null where that count cannot be read,
/// see <paramref name="Problem"/>.</param>
/// <param name="Problem">What was not sound, for a person: a record, or the file itself (somebody has cut it, made it longer or written
/// into it, or the system cannot read it); or that it was not read because the process lived on. Null where all was well.</param>
public sealed record TailReport(long Packets, long? Lost, string? Problem)
{
    /// <summary>The problem of a tail whose process lives on after its link.</summary>
    internal const string NotRead = "tail not read: the process lives";

    /// <summary>Returns the numbers in words.</summary>
    /// <returns>For example <c>12 from the tail, 0 lost</c>.</returns>
    public override string ToString()
    {
        if (Problem == NotRead && Lost is null)
        {
            return NotRead;
        }

        string problem = Problem is null ? string.Empty : Problem == NotRead ? $" ({NotRead})" : $" (the tail was not sound: {Problem})";
        string lost = Lost?.ToString(CultureInfo.InvariantCulture) ?? "nobody knows how many";
        return string.Format(CultureInfo.InvariantCulture, "{0} from the tail, {1} lost", Packets, lost) + problem;
    }
}
