namespace Transport.Journal;

/// <summary>How bytes get to the disk.</summary>
public enum JournalBackEnd
{
    /// <summary>What the environment variable <c>TRANSPORT_JOURNAL_IO</c> says (<c>write</c> or <c>uring</c>), or else <see cref="Write"/>. Where that is not to be had, <see cref="Write"/> with the reason in <see cref="Journal.BackEndReason"/>.</summary>
    Automatic = 0,

    /// <summary>pwrite and fdatasync into preallocated segments. On Windows positioned writes and FlushFileBuffers.</summary>
    Write = 1,

    /// <summary>io_uring with several commits in flight, each a direct write that syncs itself, on zeroed segments. Linux only. It wins where two to eight producers wait for each record; where it is not to be had, opening fails with <see cref="JournalFault.BackEndUnavailable"/>.</summary>
    Uring = 2,
}
