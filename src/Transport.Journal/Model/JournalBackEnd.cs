namespace Transport.Journal;

/// <summary>How bytes get to the disk.</summary>
public enum JournalBackEnd
{
    /// <summary>
    /// What the environment variable <c>TRANSPORT_JOURNAL_IO</c> says (<c>write</c> or <c>uring</c>), or else <see cref="Write"/>. If
    /// that is not to be had, <see cref="Write"/> with the reason in <see cref="PacketJournal.BackEndReason"/>.
    /// </summary>
    Automatic = 0,

    /// <summary>pwrite and fdatasync into preallocated segments. On Windows positioned writes and FlushFileBuffers.</summary>
    Write = 1,

    /// <summary>
    /// io_uring with several commits in flight, each a direct write that syncs itself, on zeroed segments. Linux only, for
    /// <see cref="JournalSync.GroupCommit"/> and <see cref="JournalSync.Always"/>.
    /// It is for a few producers that each wait for each record, and takes 4 KiB of disk a commit; measure with
    /// <c>eng/choose-journal-io.sh</c>. If it is not to be had, opening fails with <see cref="JournalFault.BackEndUnavailable"/>.
    /// </summary>
    Uring = 2,
}
