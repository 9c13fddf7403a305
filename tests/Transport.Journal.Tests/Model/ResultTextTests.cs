using System;
using NUnit.Framework;

namespace Transport.Journal.Tests.Model;

/// <summary>What a user sees who prints a result.</summary>
internal sealed class ResultTextTests
{
    private static readonly JournalReport Report = new()
    {
        Condition = JournalCondition.Closed, FirstPosition = 1, LastPosition = 1204, Packets = 1204, Segments = [default, default],
    };

    [Test]
    public void A_report_is_a_sentence()
    {
        Assert.That(Report.ToString(), Is.EqualTo("Closed: 1204 packets in 2 segments, positions 1 to 1204, nothing found."));
        Assert.That(new JournalReport { Packets = 0 }.ToString(), Is.EqualTo("Closed: 0 packets in 0 segments, nothing found."));
        JournalFinding finding = new() { File = "1.tj", Message = "1.tj: byte 7 is damaged." };
        var torn = new JournalReport { Condition = JournalCondition.Torn, Packets = 1, FirstPosition = 1, LastPosition = 1,
            Found = [finding] };
        Assert.That(torn.ToString(), Is.EqualTo("Torn: 1 packet in 0 segments, positions 1 to 1, 1 finding: 1.tj: byte 7 is damaged."));
    }

    [Test]
    public void A_survey_is_a_sentence()
    {
        var start = DateTimeOffset.FromUnixTimeSeconds(1000);
        var survey = new JournalSurvey { Report = Report, BodyBytes = 480_123, Earliest = start, Latest = start.AddSeconds(4) };
        Assert.That(
            survey.ToString(),
            Is.EqualTo(Report.ToString().TrimEnd('.') + "; 480123 bytes of bodies, 301 packets a second."));
    }

    [Test]
    public void A_recovery_is_its_line_or_says_what_was_found()
    {
        Assert.That(new JournalRecovery { LastPosition = 1204 }.ToString(), Is.EqualTo("Found closed, the last position is 1204."));
        Assert.That(new JournalRecovery { Created = true }.ToString(), Is.EqualTo("Created."));
        Assert.That(new JournalRecovery { Line = "Repaired: 12 bytes cut off." }.ToString(), Is.EqualTo("Repaired: 12 bytes cut off."));
    }

    [Test]
    public void Statistics_are_a_sentence()
    {
        var commits = new JournalCommits
        {
            Count = 120,
            Median = new TimeSpan(2_100),
            Percentile99 = new TimeSpan(14_000),
            Longest = new TimeSpan(32_000),
            LongestSync = new TimeSpan(29_000),
        };
        const string Times = "120 commits: half within 0.21 ms, 99 % within 1.4 ms, the longest 3.2 ms, the longest sync 2.9 ms.";
        Assert.That(commits.ToString(), Is.EqualTo(Times));
        Assert.That(default(JournalCommits).ToString(), Is.EqualTo("No commits."));
        var statistics = new JournalStatus { Packets = 1204, BodyBytes = 480_123, Segments = 2, Commits = commits };
        Assert.That(
            statistics.ToString(),
            Is.EqualTo("1204 packets (480123 bytes) in 2 segments, 0 bytes queued, 0 refused; " + Times));
    }

    [Test]
    public void Segments_counts_and_compactions_are_sentences()
    {
        var segment = new JournalSegment { File = "1.tj", Bytes = 4096, UsedBytes = 700, FirstPosition = 1, LastPosition = 3, Packets = 3 };
        Assert.That(segment.ToString(), Is.EqualTo("1.tj: 3 packets, positions 1 to 3, 700 of 4096 bytes used."));
        Assert.That((segment with { UsedBytes = 0 }).ToString(), Is.EqualTo("1.tj: its header cannot be read, 4096 bytes."));
        Assert.That(
            new JournalCount { Node = "n1", Type = 1024, Packets = 12, BodyBytes = 4820 }.ToString(),
            Is.EqualTo("n1: 12 packets of type 1024, 4820 bytes."));
        Assert.That(
            new JournalCompaction { DroppedSegments = 1, DroppedBytes = 64, OldestPosition = 9 }.ToString(),
            Is.EqualTo("1 segment dropped (64 bytes), the oldest position is 9."));
    }
}
