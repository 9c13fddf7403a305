using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>What a journal's directory was found to hold; nothing in it was changed.</summary>
internal sealed class JournalState
{
    public List<SegmentState> Segments { get; } = [];

    /// <summary>Gets the names of files that may become segments.</summary>
    public List<string> Spares { get; } = [];

    /// <summary>Gets the names of the notes that a segment's sync failed.</summary>
    public List<string> Failed { get; } = [];

    /// <summary>Gets the name of the note of what was dropped; more than one only if somebody else put them there.</summary>
    public List<string> Dropped { get; } = [];

    public List<JournalFinding> Findings { get; } = [];

    /// <summary>
    /// Gets or sets the one among the findings that reports how the last segment ends; null if the journal was closed, or is damaged.
    /// Beside a writer it reports nothing but its next record.
    /// </summary>
    public JournalFinding? Ending { get; set; }

    /// <summary>Gets or sets the number of the next subdirectory for what is set aside.</summary>
    public int NextDamaged { get; set; } = 1;

    public Guid Id { get; set; }

    public JournalCondition Condition { get; set; }

    /// <summary>Gets or sets the position that the last valid record states.</summary>
    public long LastPosition { get; set; }

    /// <summary>Gets or sets the first packet's position; 0 without one.</summary>
    public long FirstPacket { get; set; }

    /// <summary>Gets or sets the last packet's position; 0 without one.</summary>
    public long LastPacket { get; set; }

    public long Packets { get; set; }

    /// <summary>Gets or sets the highest position that anything calls synced.</summary>
    public long Synced { get; set; }

    /// <summary>Gets or sets the highest position of any valid record, also behind a fault.</summary>
    public long HighestPosition { get; set; }

    public uint HighestEpoch { get; set; }

    /// <summary>Gets or sets how many positions above the highest may have been given out.</summary>
    public long Reach { get; set; }

    /// <summary>Gets or sets where, in the last segment, traces of writes that were under way end; 0 without any.</summary>
    public long TornEnd { get; set; }

    public SegmentState? Last => Segments.Count > 0 ? Segments[Segments.Count - 1] : null;
}
