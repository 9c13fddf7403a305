using System.Diagnostics.Metrics;
using System.Threading;

namespace Transport.Journal;

/// <summary>The instruments of journals, of the meter <c>Transport</c> (docs/reference/observability.md).</summary>
internal static class JournalMeter
{
    private static readonly Total Commits = new();

    private static readonly Histogram<double> CommitDuration = Make();

    /// <summary>Counts a commit. Nobody is called: it may be under a lock.</summary>
    public static void Committed() => Commits.Raise();

    /// <summary>Records how long a commit took, in stopwatch ticks. Never under a lock.</summary>
    public static void Took(long ticks)
    {
        if (CommitDuration.Enabled)
        {
            Listeners.Record(CommitDuration, TransportMeter.SecondsOf(ticks));
        }
    }

    private static Histogram<double> Make()
    {
        _ = TransportMeter.Instruments.CreateObservableCounter(
            "transport.journal.commits", () => Commits.Value, "{commit}", "Commits of journals.");
        return TransportMeter.Instruments.CreateHistogram<double>(
            "transport.journal.commit.duration", "s", "Time of one commit: its write, and its sync if the policy has one.");
    }

    private sealed class Total
    {
        private long _value;   // raised by who commits in any journal: a count by itself

        public long Value => Interlocked.Read(ref _value);

        public void Raise() => Interlocked.Increment(ref _value);
    }
}
