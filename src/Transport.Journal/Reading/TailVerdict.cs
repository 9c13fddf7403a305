using System;
using System.Globalization;
using Transport.Journal.Format;

namespace Transport.Journal.Reading;

/// <summary>What the end of a chain of records means: docs/journal-design.md, "What is known to be synced".</summary>
internal static class TailVerdict
{
    /// <summary>Judges the end of the last segment.</summary>
    /// <param name="file">The segment's name.</param>
    /// <param name="chain">The scanner, behind the last sound record.</param>
    /// <param name="tail">What stands behind that.</param>
    /// <param name="synced">The highest position that anything calls synced.</param>
    /// <param name="isClosed">Whether the last record is Close.</param>
    /// <returns>The state, and where and what it is; null where the journal was closed.</returns>
    public static (JournalCondition Condition, string? Message) Of(string file, RecordScanner chain, TailSearch tail, long synced, bool isClosed)
    {
        string place = Text($"{file}, offset {chain.Offset}: ");
        if (synced > chain.Position)
        {
            return (JournalCondition.Damaged, place + Text($"the record of position {chain.Position + 1} is damaged or missing; positions up to {synced} are known to have been synced."));
        }

        if (tail.TraceEnd > chain.Offset)
        {
            return (JournalCondition.Torn, place + Text($"{tail.TraceEnd - chain.Offset} bytes that are no sound record follow position {chain.Position}; nothing above it is known to have been synced (a torn tail)."));
        }

        return isClosed ? (JournalCondition.Closed, null) : (JournalCondition.NotClosed, place + Text($"the journal was not closed; it is whole up to position {chain.Position}, where no close record follows."));
    }

    /// <summary>What is told of a segment that does not reach the one after it.</summary>
    public static string Broken(string file, RecordScanner chain, SegmentHeader? successor) => successor is { } next
        ? Text($"{file}, offset {chain.Offset}: the record of position {chain.Position + 1} is damaged or missing; {FileNames.Segment(next.Sequence)} begins at {next.FirstPosition}, so it was synced.")
        : Text($"{file}, offset {chain.Offset}: records end at position {chain.Position}, and the segment after it is missing or unreadable.");

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
