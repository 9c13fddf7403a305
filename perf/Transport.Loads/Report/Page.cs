using System.IO;
using System.Linq;

namespace Transport.Loads.Report;

/// <summary>The page that is committed: what was measured where and how, each scenario's table, and what does not hold.</summary>
internal static class Page
{
    /// <summary>Writes it.</summary>
    /// <param name="path">The file.</param>
    /// <param name="results">What it shows.</param>
    /// <param name="command">The command that makes this page of them.</param>
    public static void Write(string path, Results results, string command)
    {
        RunStamp stamp = results.Stamp;
        using var page = new StreamWriter(path);
        page.WriteLine($"# Process to process loads, {stamp.Date}");
        page.WriteLine();
        page.WriteLine($"- Machine: {stamp.Machine}. Load average {stamp.Load} (this program's own processes count in it).");
        page.WriteLine($"- Commit: {stamp.Commit}. {results.Rounds} interleaved "
            + $"rounds{(results.IsQuick ? ", quick: wide limits, no figure to be quoted" : string.Empty)}.");
        page.WriteLine($"- Redo it: `{stamp.Command}`");
        page.WriteLine($"- This page: `{command}`");
        page.WriteLine("- How to read it: [perf/README.md](../README.md). `-`: the column does not apply. A target holds where the whole "
            + "90 % interval of the median does. Rows without a target are in the data alone.");
        foreach (IGrouping<string, Row> scenario in results.Rows.Where(r => r.TargetText is not null).GroupBy(r => r.Scenario))
        {
            page.WriteLine();
            page.WriteLine($"## {scenario.Key}");
            Table.Write(page, [.. scenario]);
        }

        page.WriteLine();
        page.WriteLine("## What does not hold");
        foreach (string line in Verdict.Lines(results.Rows, results.Broken))
        {
            page.WriteLine("- " + line);
        }
    }
}
