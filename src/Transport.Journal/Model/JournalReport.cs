using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Journal;

/// <summary>The state of a journal.</summary>
public sealed class JournalReport
{
    /// <summary>Gets the state of the whole.</summary>
    public JournalCondition Condition { get; internal init; }

    /// <summary>
    /// Gets a value indicating whether somebody has the journal open for writing. What stands behind its last whole record is then being
    /// written, and no finding: <see cref="Condition"/> is
    /// <see cref="JournalCondition.NotClosed"/> if it would be <see cref="JournalCondition.Torn"/> of a writer that was killed. Damage
    /// is damage.
    /// </summary>
    public bool IsBeingWritten { get; internal init; }

    /// <summary>
    /// Gets a value indicating whether there is nothing to report: closed, or open for writing just now; every record and header valid,
    /// every file as long as its header says.
    /// </summary>
    public bool IsValid => Found.Count == 0
        && (Condition == JournalCondition.Closed || (Condition == JournalCondition.NotClosed && IsBeingWritten));

    /// <summary>Gets the oldest valid packet's position; 0 if there is none.</summary>
    public long FirstPosition { get; internal init; }

    /// <summary>Gets the position of the last packet up to which everything is valid; 0 if there is none.</summary>
    public long LastPosition { get; internal init; }

    /// <summary>Gets the highest position that is known to have been synced.</summary>
    public long SyncedPosition { get; internal init; }

    /// <summary>Gets the packets up to <see cref="LastPosition"/>.</summary>
    public long Packets { get; internal init; }

    /// <summary>Gets the segments.</summary>
    public IReadOnlyList<JournalSegment> Segments { get; internal init; } = [];

    /// <summary>
    /// Gets the findings, in the order of the files: one sentence each that says where and what. "Not closed" is one of them, but for a
    /// journal that is being written.
    /// </summary>
    public IReadOnlyList<string> Findings => [.. Found.Select(static f => f.Message)];

    /// <summary>Gets the findings, each with its place.</summary>
    internal IReadOnlyList<JournalFinding> Found { get; init; } = [];

    /// <summary>Returns the state and the numbers in a sentence.</summary>
    /// <returns>For example <c>Closed: 1204 packets in 2 segments, positions 1 to 1204, nothing found.</c></returns>
    public override string ToString()
    {
        string range = Packets == 0 ? string.Empty : FormattableString.Invariant($", positions {FirstPosition} to {LastPosition}");
        string found = Found.Count switch
        {
            0 => "nothing found",
            1 => "1 finding: " + Found[0],
            _ => FormattableString.Invariant($"{Found.Count} findings, the first: {Found[0]}"),
        };
        string counts = FormattableString.Invariant(
            $"{Packets} {(Packets == 1 ? "packet" : "packets")} in {Segments.Count} {(Segments.Count == 1 ? "segment" : "segments")}");
        return $"{Condition}{(IsBeingWritten ? " (being written)" : string.Empty)}: {counts}{range}, {found.TrimEnd('.')}.";
    }
}

/// <summary>Describes one segment's file.</summary>
public readonly record struct JournalSegment
{
    /// <summary>Gets the file's name within the directory.</summary>
    public string File { get; init; }

    /// <summary>Gets the segment's number, one more than that of the segment before it.</summary>
    public long Sequence { get; init; }

    /// <summary>Gets the file's length.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the bytes up to the end of the last valid record; 0 if the header cannot be read, so that nothing is known.</summary>
    public long UsedBytes { get; init; }

    /// <summary>Gets the first position the segment may hold; 0 if its header cannot be read.</summary>
    public long FirstPosition { get; init; }

    /// <summary>Gets the last position in the segment; one less than the first if it holds none; 0 if its header cannot be read.</summary>
    public long LastPosition { get; init; }

    /// <summary>Gets the number of packets in the segment.</summary>
    public long Packets { get; init; }

    /// <summary>Gets the opening of the journal that made the segment, counted from 1.</summary>
    public uint Epoch { get; init; }

    /// <summary>Gets a value indicating whether its header can be read.</summary>
    public bool IsReadable => UsedBytes > 0;

    /// <summary>Returns the file and what is in it, in a sentence.</summary>
    /// <returns>For example <c>0000000001.tj: 1204 packets, positions 1 to 1204, 65536 of 67108864 bytes used.</c></returns>
    public override string ToString() => IsReadable
        ? FormattableString.Invariant(
            $"{File}: {Packets} packets, positions {FirstPosition} to {LastPosition}, {UsedBytes} of {Bytes} bytes used.")
        : FormattableString.Invariant($"{File}: its header cannot be read, {Bytes} bytes.");
}
