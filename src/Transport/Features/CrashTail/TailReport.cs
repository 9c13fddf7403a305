using System.Globalization;

namespace Transport;

/// <summary>What was recovered from an exited worker's tail: the packets that its sends had answered Queued for and that were not
/// written yet. Immutable.</summary>
internal sealed record TailReport
{
    /// <summary>The problem of a tail whose process lives on after its link.</summary>
    internal const string NotRead = "tail not read: the process lives";

    /// <summary>Gets the number of packets delivered from the tail, after everything that came over the wire; they are among the received
    /// ones.</summary>
    public long Packets { get; init; }

    /// <summary>Gets the number of packets that were queued and are lost, by the worker's own count; null if that count cannot be read.
    /// </summary>
    /// <remarks>They found no capacity in the tail, stand behind one that found none or was not valid, or were not replayed because the
    /// link had ended with a fault.</remarks>
    public long? Lost { get; init; }

    /// <summary>Gets what was wrong with the tail, for a person; null if nothing was.</summary>
    /// <remarks>A record was not valid; or the file itself was cut, extended, overwritten or unreadable; or it was not read because the
    /// process still runs.</remarks>
    public string? Problem { get; init; }

    /// <summary>Returns the numbers in words.</summary>
    /// <returns>For example <c>12 from the tail, 0 lost</c>.</returns>
    public override string ToString()
    {
        if (Problem == NotRead && Lost is null)
        {
            return NotRead;
        }

        string problem = Problem is null ? string.Empty : Problem == NotRead ? $" ({NotRead})" : $" (the tail was not valid: {Problem})";
        string lost = Lost?.ToString(CultureInfo.InvariantCulture) ?? "nobody knows how many";
        return string.Format(CultureInfo.InvariantCulture, "{0} from the tail, {1} lost", Packets, lost) + problem;
    }
}
