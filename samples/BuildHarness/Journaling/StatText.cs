using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using BuildHarness.Display;
using BuildHarness.Packets;
using Transport;
using Transport.Journal;
using Transport.Logging;
using Transport.MSBuild;

namespace BuildHarness.Journaling;

/// <summary>What <c>journal verify</c> and <c>journal stat</c> say of a journal.</summary>
internal static class StatText
{
    private static readonly PacketType[] Known =
    [
        LogPackets.Event, LogPackets.Output, LogPackets.Progress, BuildPackets.Event, BuildProject.PacketType,
            ProjectBuilt.PacketType, StopWork.PacketType, ReplayFile.PacketType, Replayed.PacketType,
        OutputFileBegin.PacketType, OutputFileBytes.PacketType, OutputFileEnd.PacketType, OutputsEnd.PacketType,
    ];

    /// <summary>One line: its state, packets, positions and segments.</summary>
    public static string Verdict(JournalReport report)
    {
        string packets = report.Packets == 0 ? "no packets" : FormattableString.Invariant(
            $"{Counted.Of(report.Packets, "packet")}, positions {report.FirstPosition} to {report.LastPosition}");
        return FormattableString.Invariant($"{State(report)}: {packets}, in {Counted.Of(report.Segments.Count, "segment")} of {Bytes(report.Segments.Sum(s => s.Bytes))}; known to be synced up to position {report.SyncedPosition}");
    }

    /// <summary>Where and what, in one line; null if the journal is sound.</summary>
    public static string? Fault(JournalReport report)
    {
        if (report.IsSound)
        {
            return null;
        }

        // The worst first: that a journal was not closed says less than that it is cut.
        JournalFinding[] findings = [.. report.Findings];
        if (findings.Length == 0)
        {
            return State(report);
        }

        JournalFinding first = report.Condition == JournalCondition.NotClosed ? findings[0]
            : findings.FirstOrDefault(f => !f.Message.Contains("not closed", StringComparison.Ordinal), findings[0]);
        string more = findings.Length > 1 ? $" (and {Counted.Of(findings.Length - 1, "more finding")})" : string.Empty;
        return $"{State(report)}: {first.Message.TrimEnd('.')}{more}";
    }

    public static IEnumerable<string> Survey(JournalSurvey survey)
    {
        JournalReport report = survey.Report;
        yield return Verdict(report);
        yield return $"id {survey.Id}, openings {Number(survey.Openings)}, policy {survey.Sync?.ToString() ?? "unknown"}, back end "
            + $"{survey.BackEnd ?? "unknown"}";
        if (survey is { Earliest: { } earliest, Latest: { } latest })
        {
            string rate = survey.PacketsPerSecond > 0
                ? FormattableString.Invariant($", {survey.PacketsPerSecond:0.#} packets/s, {Bytes((long)(survey.BodyBytes * (survey.PacketsPerSecond / Math.Max(1, report.Packets))))}/s on average")
                : string.Empty;
            yield return $"from {PacketJson.Time(earliest)} to {PacketJson.Time(latest)}{rate}";
        }

        yield return survey.Commits is { } commits
            ? FormattableString.Invariant($"commits of the last opening: {commits.Count}, p50 {Ms(commits.Median)}, p99 {Ms(commits.Percentile99)}, longest {Ms(commits.Longest)}, longest sync {Ms(commits.LongestSync)}")
            : "commits of the last opening: unknown";
        yield return "segments:";
        foreach (JournalSegment segment in report.Segments)
        {
            yield return $"    {segment.File}: {Segment(segment)}";
        }

        yield return "packets by node and type:";
        foreach (JournalCount count in survey.Counts)
        {
            yield return FormattableString.Invariant(
                $"    {count.Node} {NameOf(count.Type)}: {Counted.Of(count.Packets, "packet")}, {Bytes(count.BodyBytes)}");
        }
    }

    public static string Bytes(long bytes) => bytes switch
    {
        < 10 << 10 => string.Create(CultureInfo.InvariantCulture, $"{bytes} B"),
        < 10 << 20 => string.Create(CultureInfo.InvariantCulture, $"{bytes / 1024.0:0.#} KiB"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{bytes / 1048576.0:0.#} MiB"),
    };

    public static string NameOf(int type) => Array.Find(Known, known => known.Id == type)?.ToString()
        ?? string.Create(CultureInfo.InvariantCulture, $"type {type}");

    private static string Segment(JournalSegment segment)
    {
        if (!segment.IsReadable)
        {
            return $"cannot be read, {Bytes(segment.Bytes)}";
        }

        string packets = segment.Packets > 0
            ? FormattableString.Invariant(
                $"{Counted.Of(segment.Packets, "packet")}, positions {segment.FirstPosition} to {segment.LastPosition}")
            : FormattableString.Invariant($"no packets, positions from {segment.FirstPosition}");
        return FormattableString.Invariant($"{packets}, {Bytes(segment.UsedBytes)} of {Bytes(segment.Bytes)}, opening {segment.Epoch}");
    }

    private static string State(JournalReport report) => report.Condition switch
    {
        JournalCondition.Closed => report.IsSound ? "sound" : "damaged, though closed",
        JournalCondition.NotClosed => report.IsBeingWritten ? "being written" : "not closed",
        JournalCondition.Torn => "torn",
        _ => "damaged",
    };

    private static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Ms(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{time.TotalMilliseconds:0.###} ms");
}
