namespace Transport.Journal;

/// <summary>What happens when <see cref="JournalOptions.MaxBytes"/> is reached.</summary>
public enum JournalWhenFull
{
    /// <summary>
    /// Appends fail with <see cref="JournalFault.JournalFull"/> (<see cref="JournalAppendResult.Full"/> without waiting) until the
    /// journal is compacted. The default.
    /// </summary>
    Refuse = 0,

    /// <summary>The oldest segment is dropped.</summary>
    DropOldest = 1,
}
