using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Transport.Loads.Report;

namespace Transport.Rivals.Report;

/// <summary>The page perf/results/rivals.md.</summary>
internal static class RivalsPage
{
    public static void Write(TextWriter page, RunStamp stamp, int rounds, bool quick, IReadOnlyList<PeerResult> results)
    {
        page.WriteLine($"# Beside what a user would take instead, {stamp.Date}");
        page.WriteLine();
        page.WriteLine($"- Machine: {stamp.Machine}. Load average {stamp.Load}.");
        string care = quick ? ", quick: no figure to be quoted" : string.Empty;
        page.WriteLine($"- Commit: {stamp.Commit}. {rounds} interleaved rounds{care}.");
        page.WriteLine("- Redo it: `dotnet run -c Release --project perf/Transport.Rivals -- --markdown perf/results/rivals.md "
            + "--svg perf/results/plots/rivals.svg`");
        page.WriteLine("- Sender and receiver are processes of their own; every event is compared whole and in order with what was sent. "
            + "Medians. Bold: the best of the column.");
        page.WriteLine();
        page.WriteLine("![CPU of an event](plots/rivals.svg)");
        Table(page, "256 B events, 1 MB packets, round trips of 64 B", results,
            (Figure.Events, true, "n0"), (Figure.Cpu, false, "f2"), (Figure.Allocated, false, "n0"), (Figure.Large, true, "f2"),
            (Figure.Ping, false, "f0"), (Figure.PingWorst, false, "f0"));
        page.WriteLine("1,112 B an event are the event itself, made by the sender and by the reader.");
        Table(page, "8 senders; from a sender's start to its first event", results,
            (Figure.FanIn, true, "n0"), (Figure.Memory, false, "f0"), (Figure.Start, false, "f0"));
        Table(page, "A sender is killed (SIGKILL) in the middle of a burst of 3,000 events, 20 times", results,
            (Figure.Lost, false, "n0"), (Figure.LostAtMost, false, "n0"), (Figure.Noticed, false, "f0"));
        page.WriteLine("Taken: the send had returned. Never: the receiver is not notified.");
        Table(page, "The receiver stops (SIGSTOP) for 11 s; the sender's loop makes 5,000 events a second for 10 s", results,
            (Figure.Longest, false, "f2"), (Figure.Refused, false, "n0"), (Figure.Behind, false, "f1"), (Figure.SenderMemory, false, "f0"));
        page.WriteLine("A longest call may be a garbage collection, which the load's own events need. It begins where memory is allocated: "
            + "at a peer that allocates for each event mostly between the calls, here when a segment is added to the queue.");
        page.WriteLine();
        page.WriteLine("## How each is used");
        foreach (PeerResult result in results)
        {
            page.WriteLine($"- {result.Name}: {result.Shape}.");
        }

        string[] faults = [.. results.SelectMany(result => result.Faults.Select(fault => $"- {result.Name}: {fault}"))];
        page.WriteLine();
        page.WriteLine("## What could not be measured");
        page.WriteLine(faults.Length == 0 ? "- Nothing." : string.Join('\n', faults));
    }

    private static void Table(
        TextWriter page,
        string title,
        IReadOnlyList<PeerResult> results,
        params (string Figure, bool MoreIsBetter, string Format)[] columns)
    {
        page.WriteLine();
        page.WriteLine($"## {title}");
        page.WriteLine($"| | {string.Join(" | ", columns.Select(c => c.Figure))} |");
        page.WriteLine($"|---|{string.Concat(columns.Select(_ => "---:|"))}");
        foreach (PeerResult result in results)
        {
            page.WriteLine($"| {result.Name} | {string.Join(" | ", columns.Select(c => Cell(result, results, c)))} |");
        }

        page.WriteLine();
    }

    private static string Cell(PeerResult result, IReadOnlyList<PeerResult> all, (string Figure, bool MoreIsBetter, string Format) column)
    {
        if (!result.Figures.TryGetValue(column.Figure, out double value))
        {
            return "-";
        }

        string text = double.IsInfinity(value) ? "never" : value.ToString(column.Format, CultureInfo.InvariantCulture);
        double[] known = [.. all.Where(r => r.Figures.ContainsKey(column.Figure)).Select(r => r.Figures[column.Figure])];
        return value == (column.MoreIsBetter ? known.Max() : known.Min()) ? $"**{text}**" : text;
    }
}
