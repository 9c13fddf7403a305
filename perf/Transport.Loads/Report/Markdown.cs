using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Transport.Loads.Report;

/// <summary>The page that is committed: what was measured where and how, each scenario's table, and what does not hold.</summary>
internal static class Markdown
{
    public static void Write(string path, RunStamp stamp, int rounds, bool quick, IReadOnlyList<Row> rows, IReadOnlyList<string> broken)
    {
        using var page = new StreamWriter(path);
        page.WriteLine($"# Process to process loads, {stamp.Date}");
        page.WriteLine();
        page.WriteLine($"- Machine: {stamp.Machine}. Load average {stamp.Load} (this program's own processes count in it).");
        page.WriteLine($"- Commit: {stamp.Commit}. {rounds} interleaved "
            + $"rounds{(quick ? ", quick: wide limits, no figure to be quoted" : string.Empty)}.");
        page.WriteLine($"- Redo it: `{stamp.Command}`");
        page.WriteLine("- How to read it: [perf/README.md](../README.md). `-`: the column does not apply. A target holds where the whole "
            + "90 % interval of the median does.");
        foreach (IGrouping<string, Row> scenario in rows.GroupBy(r => r.Scenario))
        {
            page.WriteLine();
            page.WriteLine($"## {scenario.Key}");
            Table.Write(page, [.. scenario]);
        }

        page.WriteLine();
        page.WriteLine("## What does not hold");
        string[] lines = [.. Verdict.Lines(rows, broken)];
        foreach (string line in lines)
        {
            page.WriteLine("- " + line);
        }
    }
}
