using System;
using System.Globalization;

namespace Transport.Journal;

/// <summary>What the end of a chain of records means: docs/design/journal.md, "What is known to be synced".</summary>
internal static class TailVerdict
{
    /// <summary>Judges the end of the last segment.</summary>
    /// <param name="file">The segment's name.</param>
    /// <param name="chain">The scanner, behind the last valid record.</param>
    /// <param name="tail">What stands behind that.</param>
    /// <param name="synced">The highest position that anything calls synced.</param>
    /// <param name="isClosed">Whether the last record is Close.</param>
    /// <returns>The state, and where and what it is; null if the journal was closed.</returns>
    public static (JournalCondition Condition, string? Message) Of(
        string file, RecordScanner chain, TailSearch tail, long synced, bool isClosed)
    {
        string place = Text($"{file}, offset {chain.Offset}: ");
        if (synced > chain.Position)
        {
            return (JournalCondition.Damaged, place + Text($"the record of position {chain.Position + 1} is damaged or missing; ")
                + Text($"positions up to {synced} are known to have been synced."));
        }

        if (tail.TraceEnd > chain.Offset)
        {
            return (JournalCondition.Torn, place + Text($"{tail.TraceEnd - chain.Offset} bytes that are no valid record follow ")
                + Text($"position {chain.Position}; nothing above it is known to have been synced (a torn tail)."));
        }

        return isClosed ? (JournalCondition.Closed, null) : (JournalCondition.NotClosed, place
            + Text($"the journal was not closed; it is whole up to position {chain.Position}, where no close record follows."));
    }

    /// <summary>What is reported about a segment that does not reach the one after it.</summary>
    /// <param name="file">The segment's name.</param>
    /// <param name="chain">The scanner, behind the last valid record.</param>
    /// <param name="successor">The header of the segment after it; null if there is none that can be read and fits.</param>
    /// <param name="why">What is wrong with the one after it if there is no such header: one of the sentences below.</param>
    public static string Broken(string file, RecordScanner chain, SegmentHeader? successor, string? why) => successor is { } next
        ? Text($"{file}, offset {chain.Offset}: the record of position {chain.Position + 1} is damaged or missing; ")
            + Text($"{FileNames.Segment(next.Sequence)} begins at {next.FirstPosition}, so it was synced.")
        : Text($"{file}, offset {chain.Offset}: records end at position {chain.Position}, and the segment after it cannot be ")
            + Text($"read{(why is null ? "." : ": ")}{why}");

    /// <summary>What is reported if this process itself has written more than there is.</summary>
    public static string Gone(string file, RecordScanner chain, long written) =>
        Text($"{file}, offset {chain.Offset}: the record of position {chain.Position + 1} is damaged or missing; this process ")
            + Text($"has written up to {written}.");

    /// <summary>What is reported about a segment's name that something else has.</summary>
    public static string NoFile(string file) => file + ": it is no regular file (a directory, a link, a pipe?), and segments are.";

    /// <summary>What is reported about a segment without a header that can be read.</summary>
    public static string NoHeader(string file) => file
        + ": its header cannot be read (both copies); it was synced before the file got its name.";

    /// <summary>What is reported about a segment that belongs elsewhere.</summary>
    public static string Foreign(string file, in SegmentHeader header) =>
        Text($"{file}: its header is that of segment {header.Sequence} of journal {header.Journal}.");

    /// <summary>What is reported about a segment that is not there, and those around it are.</summary>
    public static string Missing(string file) => file + " is not there.";

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
