using System.Diagnostics.Metrics;

namespace Transport.Journal;

/// <summary>The instruments of journals, of the meter <c>Transport</c> (docs/reference/observability.md).</summary>
internal static class JournalMeter
{
    private static readonly Counter<long> Commits = TransportMeter.Instruments.CreateCounter<long>(
        "transport.journal.commits", "{commit}", "Commits of journals.");

    private static readonly Histogram<double> CommitDuration = TransportMeter.Instruments.CreateHistogram<double>(
        "transport.journal.commit.duration", "s", "Time of one commit: its write, and its sync if the policy has one.");

    /// <summary>Counts a commit, and its time in stopwatch ticks if it was measured.</summary>
    public static void Committed(long? ticks)
    {
        Commits.Add(1);
        if (ticks is { } time && CommitDuration.Enabled)
        {
            CommitDuration.Record(TransportMeter.SecondsOf(time));
        }
    }
}
