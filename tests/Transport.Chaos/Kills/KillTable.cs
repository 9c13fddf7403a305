using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;

namespace Transport.Chaos.Kills;

/// <summary>The table at the end: a row for each way to die and each size of queue.</summary>
internal sealed class KillTable(KillOptions options)
{
    private const int MostReported = 50;

    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>Writes it.</summary>
    /// <returns>The exit code: 0 if every promise held for every exit.</returns>
    public int Write(IReadOnlyList<Exit> exits, IReadOnlyList<string> hangs)
    {
        Exit[] all = [.. exits.OrderBy(d => d.Number)];
        Console.WriteLine("  killed by    queue             exits  connected      queued        came   from tail        lost  lossy  "
            + "unanswered  ms to the end");
        if (options.Each)
        {
            foreach (Exit exit in all)
            {
                Row([exit], FormattableString.Invariant($"{exit.By} #{exit.Number}"), exit.Small ? "within the tail"
                    : "beyond the tail");
            }
        }

        foreach (IGrouping<(Killing By, bool Small), Exit> group in all.GroupBy(d => (d.By, d.Small)).OrderBy(g => g.Key.By)
            .ThenByDescending(g => g.Key.Small))
        {
            Row([.. group], group.Key.By.ToString(), group.Key.Small ? "within the tail" : "beyond the tail");
        }

        Row(all, "all", string.Empty);
        List<string> broken = [.. hangs, .. all.SelectMany(d => d.Broken)];
        if (exits.Count != options.Kills)
        {
            broken.Add($"{exits.Count} of {options.Kills} were judged");
        }

        if (exits.Count >= 20 && (all.Sum(d => d.FromTail) == 0 || all.Sum(d => d.Came) == 0))
        {
            broken.Add("nothing came, or nothing from a tail: that proves nothing");
        }

        foreach (string promise in broken.Take(MostReported))
        {
            Console.WriteLine("BROKEN: " + promise);
        }

        string seconds = Stopwatch.GetElapsedTime(_start).TotalSeconds.ToString("0", CultureInfo.InvariantCulture);
        Console.WriteLine(broken.Count == 0 ? $"kills: every promise held for {exits.Count} exits, {seconds} s"
            : $"kills: {broken.Count} promises broken, {seconds} s; again: {options.Again}");
        return broken.Count == 0 ? 0 : 1;
    }

    private static void Row(Exit[] exits, string by, string queue) => Console.WriteLine(string.Format(
        CultureInfo.InvariantCulture,
        "  {0,-12} {1,-17} {2,6} {3,10} {4,11:N0} {5,11:N0} {6,11:N0} {7,11:N0} {8,6} {9,11} {10,7:0} (max {11:0})",
        by,
        queue,
        exits.Length,
        exits.Count(d => d.Connected),
        exits.Sum(d => d.Queued),
        exits.Sum(d => d.Came),
        exits.Sum(d => d.FromTail),
        exits.Sum(d => d.Lost),
        exits.Count(d => d.Lost > 0),
        exits.Sum(d => d.Unanswered),
        exits.Select(d => d.Ms).DefaultIfEmpty(0).Average(),
        exits.Select(d => d.Ms).DefaultIfEmpty(0).Max()));
}
