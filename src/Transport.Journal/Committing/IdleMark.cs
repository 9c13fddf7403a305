namespace Transport.Journal;

/// <summary>
/// Says when a pause is to be marked: a Mark in the files says what is synced, and without one the last commit's own position stands in no
/// record. The journal's own thread waits for the pause and writes the Mark, as a commit without packets. All members are for who holds the
/// gate.
/// </summary>
internal sealed class IdleMark(JournalOptions options, CommitQueue queue, SegmentWriter writer)
{
    private readonly bool _isSyncedByTimer = options.Sync == JournalSync.EverySecond;
    private long _seen = queue.Appended;
    private long _marked = queue.Appended;

    /// <summary>Gets how long a pause is before it is marked, in milliseconds; 0: none is. From any thread.</summary>
    public int Milliseconds => options.IdleMarkMilliseconds;

    /// <summary>Gets a value indicating whether the journal's thread waits for a pause.</summary>
    public bool IsArmed { get; private set; }

    /// <summary>Notes that a pause may begin now.</summary>
    /// <returns>Whether the journal's thread is to wait for one from now on.</returns>
    public bool Arm()
    {
        if (IsArmed || _marked == queue.Committed || Milliseconds <= 0 || queue.IsClosing || queue.HasFailed)
        {
            return false;
        }

        IsArmed = true;
        _seen = queue.Committed;
        return true;
    }

    /// <summary>Checks whether the time since <see cref="Arm"/> was a pause, which the caller marks now. Arm it again if it was
    /// none.</summary>
    public bool Take()
    {
        IsArmed = false;
        bool isUnsynced = writer.Synced < writer.Written;   // not what is committed: what was refused is never synced
        bool isPause = !queue.IsClosing && !queue.HasFailed && !queue.IsLed && queue.IsEmpty && _seen == queue.Committed
            && !(isUnsynced && _isSyncedByTimer);
        if (isPause)
        {
            _marked = queue.Committed;
        }

        return isPause;
    }
}
