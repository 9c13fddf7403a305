using System;

namespace Transport.Journal;

/// <summary>The store's errors as the journal's faults.</summary>
internal static class Faults
{
    /// <summary>What a failed call means if the disk's own trouble is of a given kind.</summary>
    public static JournalException From(StoreException e, JournalFault disk) =>
        new(FaultOf(e.Error, disk), e.Message + ". " + Advice(e.Error), e);

    /// <summary>What it means that there is no next segment yet. Nothing has failed: appends go on by themselves.</summary>
    public static JournalException Refused(StoreException e) => e.Error == StoreError.Full
        ? new(JournalFault.DiskFull, e.Message + ". Free space: appends go on by themselves then.", e)
        : From(e, JournalFault.WriteFailed);

    /// <summary>What a failed write means: with capacity missing it is a full disk, but one that cannot be tried again.</summary>
    public static JournalException Writing(StoreError error, string file, long offset) =>
        new(FaultOf(error, JournalFault.WriteFailed), $"Writing to {file} at {offset} failed ({error}): nothing that was not acknowledged "
            + $"before is, and the journal takes nothing more. {Advice(error)}");

    /// <summary>What a failed commit means, in a block or by a sync.</summary>
    public static JournalException Committing(StoreError error, string file, long offset) =>
        error == StoreError.Full ? Writing(error, file, offset) : Syncing(error, file);

    private static JournalException Syncing(StoreError error, string file) => error == StoreError.Deleted
        ? new(JournalFault.SyncFailed, $"{file} has no name any more: it, or the journal's folder, was deleted while the journal was open. "
            + "What is written there is gone with it, so nothing that was not acknowledged before is, and the journal takes nothing more. "
            + "Find out who deletes it, then open the journal anew.")
        : new(JournalFault.SyncFailed, $"Syncing {file} failed ({error}): nothing that was not acknowledged before is, and the journal "
            + "takes nothing more. Look at the disk, then open the journal anew.");

    /// <summary>What an exception that nobody expected means: the journal ends with it, so that nobody waits for what will not
    /// come.</summary>
    public static JournalException Unexpected(string doing, Exception e) => e as JournalException
        ?? new(JournalFault.WriteFailed, $"{doing} failed: {e.Message} ({e.GetType().Name}). Open the journal anew.", e);

    private static JournalFault FaultOf(StoreError error, JournalFault disk) => error switch
    {
        StoreError.Full => JournalFault.DiskFull,
        StoreError.Shortage => JournalFault.TooFewDescriptors,
        StoreError.Denied => JournalFault.NoAccess,
        StoreError.Missing or StoreError.NotAFile => JournalFault.NotAJournal,
        StoreError.Busy => JournalFault.InUse,
        _ => disk,
    };

    private static string Advice(StoreError error) => error switch
    {
        StoreError.Full => "Free space on the disk, then open the journal anew.",
        StoreError.Shortage => "Close others, or raise the limit (ulimit -n), then open the journal anew if it has failed.",
        StoreError.Denied => "Change owner or mode.",
        StoreError.Missing => "Name a directory that is there.",
        StoreError.NotAFile => "Take it away, or name another directory.",
        StoreError.Busy => "Close it there first.",
        _ => "Look at the disk, then open the journal anew.",
    };
}
