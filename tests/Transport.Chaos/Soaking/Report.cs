using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;

namespace Transport.Chaos.Soaking;

/// <summary>The table at the end.</summary>
internal sealed class Report(ChaosOptions options, Tally tally)
{
    /// <summary>What the runtime makes once for itself, whatever the run does (its own signals, its poller); a leak makes one a process or
    /// a connection.</summary>
    private const int MostDescriptors = 8;

    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>Gets or sets the longest that a thread with nothing to do but wait was late, in ms: what the machine itself holds
    /// up.</summary>
    public double WorstLateMs { get; set; }

    /// <summary>Gets or sets how many descriptors this process has more than at the start.</summary>
    public int Descriptors { get; set; }

    /// <summary>Writes it.</summary>
    /// <returns>The exit code: 0 if every promise held.</returns>
    public int Write()
    {
        if (Descriptors > MostDescriptors)
        {
            tally.Break($"{Descriptors} sockets and pipes are left open");
        }

        (IReadOnlyDictionary<string, long> events, IReadOnlyDictionary<string, long> packets) = tally.Rows();
        if (events.GetValueOrDefault("processes started") == 0 || packets.GetValueOrDefault("7 received") == 0)
        {
            tally.Break("nothing was received: a soak of nothing proves nothing");
        }

        Console.WriteLine();
        Rows("events", events, skip: 0);
        Rows("packets of workers", packets, skip: 2);
        Console.WriteLine(
            FormattableString.Invariant($"  urgent packet longest on its way: {tally.WorstUrgentMs.Undisturbed:0.0} ms if nobody was held ")
            + FormattableString.Invariant($"up on purpose, {tally.WorstUrgentMs.All:0.0} ms in all; a thread of the main node that only ")
            + FormattableString.Invariant($"looks at the clock was late by {WorstLateMs:0.0} ms"));
        Console.WriteLine(FormattableString.Invariant($"  main node: {Environment.WorkingSet >> 20} MB at the end, {Descriptors} sockets ")
            + FormattableString.Invariant($"and pipes more than at the start, {Stopwatch.GetElapsedTime(_start).TotalSeconds:0} s"));
        IReadOnlyList<string> broken = tally.Broken;
        foreach (string promise in broken)
        {
            Console.WriteLine("BROKEN: " + promise);
        }

        Console.WriteLine(broken.Count == 0 ? "chaos: every promise held"
            : $"chaos: {broken.Count} promises broken, seed {options.Seed.ToString(CultureInfo.InvariantCulture)}; again: {options.Again}");
        return broken.Count == 0 ? 0 : 1;
    }

    private static void Rows(string title, IReadOnlyDictionary<string, long> rows, int skip)
    {
        Console.WriteLine("  " + title);
        int width = rows.Keys.Select(key => key.Length).DefaultIfEmpty(0).Max();
        foreach ((string key, long count) in rows)
        {
            Console.WriteLine($"    {key.Substring(skip).PadRight(width)} {count.ToString("N0", CultureInfo.InvariantCulture),14}");
        }
    }
}
