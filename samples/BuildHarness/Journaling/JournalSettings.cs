using Transport.Journal;

namespace BuildHarness.Journaling;

/// <summary><c>--journal</c> and what belongs to it.</summary>
/// <param name="Directory">The journal's directory.</param>
internal sealed record JournalSettings(string Directory)
{
    public JournalSync Sync { get; init; } = JournalSync.GroupCommit;

    /// <summary>Gets the bytes of a segment; null: the journal's default.</summary>
    public long? SegmentBytes { get; init; }

    /// <summary>Gets a value indicating whether the work goes on without the journal if that fails.</summary>
    public bool IsOptional { get; init; }
}
