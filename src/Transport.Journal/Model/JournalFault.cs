namespace Transport.Journal;

/// <summary>
/// Why a journal could not do what it was asked for: one short list, sorted by who must act. The groups are 1-9 the caller, 10-19 who
/// runs the machine, 20-29 who owns the data, 30-39 who owns the disk.
/// </summary>
public enum JournalFault
{
    /// <summary>A packet longer than <see cref="JournalOptions.MaxPacketBytes"/>. The caller must split it, or allow more.</summary>
    PacketTooLarge = 2,

    /// <summary>The journal or the reader was closed before. The caller must open it again.</summary>
    Closed = 3,

    /// <summary>The directory is not there, or holds something that is no journal. Nothing in it was changed; name another.</summary>
    NotAJournal = 10,

    /// <summary>
    /// Another process, or another part of this one, has the journal open for writing. Wait for it, or name another directory.
    /// </summary>
    InUse = 11,

    /// <summary>The system refuses access to directory or file. Change owner or mode.</summary>
    NoAccess = 12,

    /// <summary>
    /// The disk has no space for another segment. Appends go on as soon as there is capacity; what was refused was not kept, but for the
    /// first packets of an append that is longer than a segment.
    /// </summary>
    DiskFull = 13,

    /// <summary>
    /// <see cref="JournalOptions.MaxBytes"/> is reached and nothing may be dropped. Compact the journal, allow more, or let it drop the
    /// oldest (<see cref="JournalOptions.DropOldestWhenFull"/>).
    /// </summary>
    JournalFull = 14,

    /// <summary>The back end that was asked for by name is not to be had here; the message says why. Choose another, or none.</summary>
    BackEndUnavailable = 15,

    /// <summary>
    /// The directory, or a file in it, belongs to another user, or others may write to it: what is appended would be theirs too. Nothing
    /// was changed. Name a directory of your own, or change owner and mode (<see cref="JournalOptions.AllowSharedFolder"/>).
    /// </summary>
    NotPrivate = 16,

    /// <summary>
    /// The process has too few descriptors left for what an open journal needs: its files, its threads (.NET takes two for each) and the
    /// next segment. Close others, or raise the limit (<c>ulimit -n</c>). An open journal refuses what does not fit into its segment,
    /// and goes on as soon as there are some.
    /// </summary>
    TooFewDescriptors = 17,

    /// <summary>
    /// What was known to be synced cannot be read as it was written. Nothing was changed. Restore the files, or let the journal set them
    /// aside (<see cref="JournalOptions.SetDamagedAside"/>).
    /// </summary>
    Damaged = 20,

    /// <summary>The journal was written by a later version of this library. Use that one.</summary>
    TooNew = 21,

    /// <summary>
    /// The position asked for was dropped by compaction; <see cref="JournalException.OldestPosition"/> is the oldest one left. Read from
    /// there.
    /// </summary>
    Compacted = 22,

    /// <summary>
    /// A sync failed: what is in that segment and not acknowledged may be lost, and it is never written again. Look at the disk, then
    /// open the journal anew.
    /// </summary>
    SyncFailed = 30,

    /// <summary>
    /// A write failed, not for lack of capacity if that could be tried again. Look at the disk, then open the journal anew.
    /// </summary>
    WriteFailed = 31,

    /// <summary>A read failed in the system. Look at the disk.</summary>
    ReadFailed = 32,
}
