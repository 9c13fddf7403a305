namespace Transport.Journal;

// Who may append and who commits, as one state under one lock (the gate):
//
// | state          | means                                            | TakeLead       | EndLead | BeginClose     | EndClose |
// |----------------|--------------------------------------------------|----------------|---------|----------------|----------|
// | Idle           | appends are taken; nobody commits                | Leading        |         | Closing        |          |
// | Leading        | appends are taken; one thread, the leader,       |                | Idle    | ClosingLeading |          |
// |                | commits without the gate                         |                |         |                |          |
// | Closing        | nothing is taken any more; nobody commits        | ClosingLeading |         |                | Closed   |
// | ClosingLeading | nothing is taken any more; the leader commits    |                | Closing |                |          |
// |                | what was taken before                            |                |         |                |          |
// | Closed         | the files are closed                             |                |         |                |          |
//
// An empty cell is a mistake in the code and throws. A failed write or flush is beside the states: CommitQueue.Failure is set once and
// never cleared. From then on nothing is taken and nothing is written in any state; a leader that has work drops it.
//
// The leader is an appender that waits, the journal's own thread (CommitPump or BlockDriver), or the thread that closes. It has the lead as
// a CommitLead, which it ends or passes on; one that is left behind ends the journal.
// What only the leader may touch: CommitQueue.Work and Written, and every member of SegmentWriter but Sync, Written and Synced.
//
// Lock order, from the outside in. A thread may skip locks, never go back:
//   1. the gate (CommitQueue)         what producers share; held for an instant, and for one write under EverySecond and No
//   2. CommitPump._lock               what wakes the pump
//   3. SyncTimer._lock                whether a sync runs
//   4. SegmentWriter._syncing         one sync at a time; a failure is set under it before anybody else can sync
//   5. SegmentDirectory._changing     making and dropping files, as long as the disk takes
//   6. SegmentDirectory._lock, AppendSourcePool._lock, FinalFailure._lock, ThreadWaiter._lock
//                                 held for an instant; nothing is locked under them
// No code of callers runs under any of them.

/// <summary>Who may append to a journal and who commits.</summary>
internal enum CommitState
{
    /// <summary>Appends are taken; nobody commits.</summary>
    Idle,

    /// <summary>Appends are taken; one thread commits.</summary>
    Leading,

    /// <summary>Nothing is taken any more; nobody commits.</summary>
    Closing,

    /// <summary>Nothing is taken any more; one thread commits what was taken before.</summary>
    ClosingLeading,

    /// <summary>The files are closed.</summary>
    Closed,
}
