using System.Diagnostics;
using NUnit.Framework;

namespace Transport.Journal.Tests.Appending;

/// <summary>How long commits took, as <c>stat</c> shows it.</summary>
internal sealed class CommitTimesTests
{
    [Test]
    public void No_percentile_is_above_the_longest([Values(1, 33, 8_250, 1_000_003)] int microseconds)
    {
        // stat showed p99 8.388 ms, longest 8.25 ms: a step's end lies above what is in it.
        var times = new CommitTimes();
        times.Add(microseconds * (Stopwatch.Frequency / 1_000_000));
        JournalCommits commits = times.Snapshot(0);
        Assert.That(commits.Longest.TotalMilliseconds, Is.EqualTo(microseconds / 1e3).Within(0.001));
        Assert.That(commits.Percentile99, Is.EqualTo(commits.Longest));
        Assert.That(commits.Median, Is.EqualTo(commits.Longest));
    }

    [Test]
    public void Percentiles_are_within_seven_percent()
    {
        var times = new CommitTimes();
        for (int i = 1; i <= 1000; i++)
        {
            times.Add(i * Stopwatch.Frequency / 1000);
        }

        JournalCommits commits = times.Snapshot(0);
        Assert.That(commits.Median.TotalMilliseconds, Is.EqualTo(500).Within(7).Percent);
        Assert.That(commits.Percentile99.TotalMilliseconds, Is.EqualTo(990).Within(7).Percent);
    }
}
