using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>How sound a journal is.</summary>
public sealed class JournalReport
{
    /// <summary>Gets the state of the whole.</summary>
    public JournalCondition Condition { get; internal init; }

    /// <summary>
    /// Gets a value indicating whether somebody has the journal open for writing. What stands behind its last whole record is then being
    /// written, and no finding: <see cref="Condition"/> is
    /// <see cref="JournalCondition.NotClosed"/> where it would be <see cref="JournalCondition.Torn"/> of a writer that was killed. Damage
    /// is damage.
    /// </summary>
    public bool IsBeingWritten { get; internal init; }

    /// <summary>
    /// Gets a value indicating whether there is nothing to tell: closed, or open for writing just now; every record and header sound,
    /// every file as long as its header says.
    /// </summary>
    public bool IsSound => Findings.Count == 0 && (Condition == JournalCondition.Closed || (Condition == JournalCondition.NotClosed && IsBeingWritten));

    /// <summary>Gets the oldest sound packet's position; 0 where there is none.</summary>
    public long FirstPosition { get; internal init; }

    /// <summary>Gets the position of the last packet up to which everything is sound; 0 where there is none.</summary>
    public long LastPosition { get; internal init; }

    /// <summary>Gets the highest position that is known to have been synced.</summary>
    public long SyncedPosition { get; internal init; }

    /// <summary>Gets the packets up to <see cref="LastPosition"/>.</summary>
    public long Packets { get; internal init; }

    /// <summary>Gets the segments.</summary>
    public IReadOnlyList<JournalSegment> Segments { get; internal init; } = [];

    /// <summary>
    /// Gets what is to be told, in the order of the files; "not closed" is one of them, but for a journal that is being written.
    /// </summary>
    public IReadOnlyList<JournalFinding> Findings { get; internal init; } = [];
}

/// <summary>One thing that is not as it should be.</summary>
/// <param name="File">The file's name within the directory.</param>
/// <param name="Offset">Where in it, in bytes.</param>
/// <param name="Position">The position that is concerned: of the packet that cannot be read, or of the last one before.</param>
/// <param name="Message">Where and what, one sentence.</param>
public readonly record struct JournalFinding(string File, long Offset, long Position, string Message);

/// <summary>One segment's file.</summary>
/// <param name="File">The file's name within the directory.</param>
/// <param name="Sequence">Its number, one more than that of the segment before it.</param>
/// <param name="Bytes">The file's length.</param>
/// <param name="UsedBytes">
/// The bytes up to the end of the last sound record; 0 where its header cannot be read, and so nothing of it is known.
/// </param>
/// <param name="FirstPosition">The first position that it may hold; 0 where its header cannot be read.</param>
/// <param name="LastPosition">
/// The last position in it; one less than the first where it holds none; 0 where its header cannot be read.
/// </param>
/// <param name="Packets">The packets in it.</param>
/// <param name="Epoch">Which opening of the journal made it, counted from 1.</param>
public readonly record struct JournalSegment(string File, long Sequence, long Bytes, long UsedBytes, long FirstPosition, long LastPosition, long Packets, uint Epoch)
{
    /// <summary>Gets a value indicating whether its header can be read.</summary>
    public bool IsReadable => UsedBytes > 0;
}
