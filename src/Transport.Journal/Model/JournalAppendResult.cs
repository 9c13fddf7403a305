namespace Transport.Journal;

/// <summary>What became of a packet that was offered without waiting.</summary>
public enum JournalAppendResult
{
    /// <summary>It is queued, and has a position. It is acknowledged when <see cref="PacketJournal.Committed"/> has reached that.</summary>
    Queued = 0,

    /// <summary>
    /// No capacity now: <see cref="JournalOptions.MaxQueuedBytes"/> wait to be written, <see cref="JournalOptions.MaxBytes"/> is reached
    /// and nothing may be dropped, the disk was
    /// full when the last segment was to be made, or a sync of <see cref="JournalSync.EverySecond"/> has run for more than a second.
    /// Nothing of it was kept.
    /// </summary>
    Full = 1,

    /// <summary>The journal is closed or has failed (<see cref="PacketJournal.Failure"/>). Nothing of it was kept.</summary>
    Closed = 2,
}
