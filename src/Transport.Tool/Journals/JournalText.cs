using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Transport.Journal;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>Journals as sentences: what <c>journal verify</c> and <c>journal stat</c> say. Safe from any thread.</summary>
internal static class JournalText
{
    /// <summary>One line: its state, packets, positions and segments.</summary>
    internal static string Verdict(JournalReport report)
    {
        string packets = report.Packets == 0 ? "no packets" : FormattableString.Invariant(
            $"{Counted.Of(report.Packets, "packet")}, positions {report.FirstPosition} to {report.LastPosition}");
        string bytes = Bytes(report.Segments.Sum(segment => segment.Bytes));
        string files = $"in {Counted.Of(report.Segments.Count, "segment")} of {bytes}";
        return FormattableString.Invariant(
            $"{State(report)}: {packets}, {files}; known to be synced up to position {report.SyncedPosition}");
    }

    /// <summary>Reports what is wrong with a journal and in which file, in one line.</summary>
    /// <param name="report">What was found.</param>
    /// <returns>The line; null if the journal is valid.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="report"/> is null.</exception>
    public static string? Fault(JournalReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        if (report.IsValid)
        {
            return null;
        }

        // The worst first: that a journal was not closed says less than that it is cut.
        IReadOnlyList<string> findings = report.Findings;
        if (findings.Count == 0)
        {
            return State(report);
        }

        string first = report.Condition == JournalCondition.NotClosed ? findings[0]
            : findings.FirstOrDefault(f => !f.Contains("not closed", StringComparison.Ordinal), findings[0]);
        string more = findings.Count > 1 ? $" (and {Counted.Of(findings.Count - 1, "more finding")})" : string.Empty;
        return $"{State(report)}: {first.TrimEnd('.')}{more}";
    }

    internal static IEnumerable<string> Survey(JournalSurvey survey, PacketCatalog packets)
    {
        JournalReport report = survey.Report;
        yield return Verdict(report);
        yield return $"id {survey.Id}, openings {Number(survey.Openings)}, policy {survey.Sync?.ToString() ?? "unknown"}, back end "
            + $"{survey.BackEnd ?? "unknown"}";
        if (survey is { Earliest: { } earliest, Latest: { } latest })
        {
            double rate = survey.PacketsPerSecond;
            string bytes = Bytes((long)(survey.BodyBytes * (rate / Math.Max(1, report.Packets))));
            string rates = rate > 0 ? FormattableString.Invariant($", {rate:0.#} packets/s, {bytes}/s on average") : string.Empty;
            yield return $"from {PacketCatalog.Time(earliest)} to {PacketCatalog.Time(latest)}{rates}";
        }

        yield return $"the last opening: {survey.CommitTimes ?? "times of commits unknown."}";
        yield return "segments:";
        foreach (JournalSegment segment in report.Segments)
        {
            yield return $"    {segment.File}: {Segment(segment)}";
        }

        yield return "packets by node and type:";
        foreach (JournalCount count in survey.Counts)
        {
            yield return FormattableString.Invariant(
                $"    {count.Node} {packets.NameOf(count.Type)}: {Counted.Of(count.Packets, "packet")}, {Bytes(count.BodyBytes)}");
        }
    }

    internal static string Bytes(long bytes) => bytes switch
    {
        < 10 << 10 => string.Create(CultureInfo.InvariantCulture, $"{bytes} B"),
        < 10 << 20 => string.Create(CultureInfo.InvariantCulture, $"{bytes / 1024.0:0.#} KiB"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{bytes / 1048576.0:0.#} MiB"),
    };

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
        JournalCondition.Closed => report.IsValid ? "valid" : "damaged, though closed",
        JournalCondition.NotClosed => report.IsBeingWritten ? "being written" : "not closed",
        JournalCondition.Torn => "torn",
        _ => "damaged",
    };

    private static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);
}
