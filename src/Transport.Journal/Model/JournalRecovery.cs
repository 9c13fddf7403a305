using System;

namespace Transport.Journal;

/// <summary>In which state a journal was found.</summary>
public enum JournalCondition
{
    /// <summary>
    /// Closed: its last record says so, and everything before it is valid. Also a journal without any packet that was never written to.
    /// </summary>
    Closed = 0,

    /// <summary>
    /// Whole, but not closed: its writer was killed, or is still at work. Nothing but zeros or older contents follows its last record.
    /// </summary>
    NotClosed = 1,

    /// <summary>
    /// Not closed, and something that is no valid record follows its last one: writes that were under way when the power was cut. Nothing
    /// that was known to be synced is missing.
    /// </summary>
    Torn = 2,

    /// <summary>Something that was known to be synced cannot be read as it was written.</summary>
    Damaged = 3,
}

/// <summary>What opening a journal found, and did.</summary>
public sealed class JournalRecovery
{
    /// <summary>Gets the state in which the journal was found.</summary>
    public JournalCondition Found { get; internal init; }

    /// <summary>Gets a value indicating whether there was none, and it was made.</summary>
    public bool Created { get; internal init; }

    /// <summary>Gets the position of the last valid packet that was found; 0 if there was none.</summary>
    public long LastPosition { get; internal init; }

    /// <summary>Gets the highest position that was known to be synced.</summary>
    public long SyncedPosition { get; internal init; }

    /// <summary>Gets the bytes that were cut off; 0 if there were none.</summary>
    public long CutBytes { get; internal init; }

    /// <summary>Gets the file that holds what was cut off (mode 0600, beside the segments), or null.</summary>
    public string? TornFile { get; internal init; }

    /// <summary>Gets the subdirectory to which a damaged journal was moved, or null.</summary>
    public string? SetAside { get; internal init; }

    /// <summary>
    /// Gets a value indicating whether the last file was shorter than it was made, so that what was acknowledged may be gone with its
    /// end.
    /// </summary>
    internal bool IsShortened { get; init; }

    /// <summary>Gets one line for a person that describes what was found and repaired; null if there is nothing to report (closed, or
    /// created).</summary>
    public string? Line { get; internal init; }

    /// <summary>Returns <see cref="Line"/>, or what was found in a sentence.</summary>
    /// <returns>For example <c>Found closed, the last position is 1204.</c></returns>
    public override string ToString() => Line
        ?? (Created ? "Created." : FormattableString.Invariant($"Found closed, the last position is {LastPosition}."));
}
