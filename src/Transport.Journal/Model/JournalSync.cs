namespace Transport.Journal;

/// <summary>
/// When an append is acknowledged, and what a power cut may take. A process that is killed loses nothing that was acknowledged, under any
/// of them.
/// </summary>
public enum JournalSync
{
    /// <summary>
    /// Acknowledged when it is synced, and producers share a sync: all that came while the last one ran go with the next. Nobody waits
    /// for company. A power cut loses nothing that was acknowledged. The default.
    /// </summary>
    GroupCommit = 0,

    /// <summary>
    /// Acknowledged when it is synced, each append by a sync of its own. As safe as <see cref="GroupCommit"/>, and slower as soon as there
    /// are two producers.
    /// </summary>
    Always = 1,

    /// <summary>
    /// Acknowledged when it is written; a thread of the journal's own syncs once a second. A power cut loses at most one second and the
    /// longest sync of the run
    /// (<see cref="JournalStatus.LongestSync"/>). While a sync has run for longer than a second, appends wait or answer
    /// <see cref="SendResult.Full"/>.
    /// </summary>
    EverySecond = 2,

    /// <summary>
    /// Acknowledged when it is written; synced when a segment is full and when the journal is closed. A power cut may take all that was
    /// written since.
    /// </summary>
    None = 3,
}
