using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Journals;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>Rows that compare a journal with itself: alone and beside a process that rewrites a file, one back end and the other.</summary>
internal sealed class JournalBesideScenario : IScenario
{
    private static readonly JournalCase[] s_cases =
    [
        new("Always, 1 producer", new JournalLoad("Always", JournalWay.Threads), "always"),
        new("Group, 4 waiting threads", new JournalLoad("GroupCommit", JournalWay.Threads, Producers: 4), "group"),
        new("Group, 4 awaiting tasks", new JournalLoad("GroupCommit", JournalWay.Tasks, Producers: 4), "group"),
    ];

    public string Name => "journal-beside";

    public string Summary => "the journal alone and beside a process that rewrites a file; io_uring beside write and fdatasync";

    public IEnumerable<Row> Run(RunOptions options)
    {
        using var bench = new JournalBench(options);
        return [.. s_cases.Take(options.Quick ? 1 : s_cases.Length).SelectMany(c => Rewrite(options, Name, bench, c)),
            .. Ring(options, Name, bench)];
    }

    /// <summary>What share of its speed each keeps beside a process that writes 4 MiB and syncs, again and again, on the same
    /// disk.</summary>
    private static IEnumerable<Row> Rewrite(RunOptions options, string scenario, JournalBench bench, JournalCase load)
    {
        string name = $"{load.Name}, beside a rewrite";
        Target target = Target.AtLeast(0.95);
        using JournalFloor.Rewriter? rewriter = bench.Floor.Rewrite(bench.Ours.Kept);
        if (rewriter is null)
        {
            return [Row.Missing(options, scenario, $"{name}: share of its speed alone", "x", bench.Floor.Missing!, Column.Floor, target)];
        }

        Dictionary<string, IJournalRival> rivals = bench.Open(load);
        var rounds = new List<Dictionary<string, (JournalSample Alone, JournalSample Beside)>>();
        try
        {
            bench.WarmUpAll(rivals.Values);
            for (int i = 0; i < options.Rounds; i++)
            {
                rounds.Add(Turns.Rotated(rivals.Keys, i)
                    .ToDictionary(c => c, c => Both(rivals[c], rewriter, bench.Length(load), i % 4 < 2), StringComparer.Ordinal));
            }
        }
        finally
        {
            JournalBench.Close(rivals.Values);
        }

        return
        [
            Row.Make(options, scenario, $"{name}: share of its speed alone", "x",
                Row.Pick(rounds, r => r.Beside.RecordsPerSecond / r.Alone.RecordsPerSecond), Column.Floor, target),
            Row.Make(options, scenario, $"{name}: against C", "records/s", Row.Pick(rounds, r => r.Beside.RecordsPerSecond), Column.Floor),
        ];
    }

    /// <summary>Four waiting producers by io_uring and by write and fdatasync. The floor: four threads, each with a commit of its own in
    /// flight.</summary>
    private static IEnumerable<Row> Ring(RunOptions options, string scenario, JournalBench bench)
    {
        const string Metric = "uring, 4 commits in flight, 4 awaiting tasks";
        var load = new JournalLoad("GroupCommit", JournalWay.Tasks, Producers: 4);
        if (bench.OpenUring(load) is not { } ring)
        {
            return [Row.Missing(options, scenario, Metric, "records/s", bench.WhyNoUring!, JournalBench.Write, JournalRows.AgainstWrite)];
        }

        var rivals = new Dictionary<string, IJournalRival>(StringComparer.Ordinal) { [Column.Transport] = ring };
        try
        {
            rivals.Add(JournalBench.Write, bench.Ours.Open(load));
            if (bench.Floor.Append("flight", load, bench.Ours.Segment) is { } floor)
            {
                rivals.Add(Column.Floor, floor);
            }

            List<Dictionary<string, JournalSample>> rounds =
                bench.Rounds(rivals, bench.Length(new JournalCase(Metric, load, JournalBench.Write)), options.Rounds);
            return
            [
                Row.Make(options, scenario, Metric, "records/s", Row.Pick(rounds, s => s.RecordsPerSecond), JournalBench.Write,
                    JournalRows.AgainstWrite),
                Row.Make(options, scenario, $"{Metric}: a wait, p50", "us", Row.Pick(rounds, s => (s.Wait?.P50 ?? double.NaN) / 1e3),
                    JournalBench.Write),
                Row.Make(options, scenario, $"{Metric}: CPU", "us/record", Row.Pick(rounds, s => s.CpuPerRecord), JournalBench.Write),
            ];
        }
        finally
        {
            JournalBench.Close(rivals.Values);
        }
    }

    private static (JournalSample Alone, JournalSample Beside) Both(
        IJournalRival rival, JournalFloor.Rewriter rewriter, int milliseconds, bool aloneFirst)
    {
        JournalSample? alone = aloneFirst ? rival.Run(milliseconds) : null;
        rewriter.Go();
        JournalSample beside = rival.Run(milliseconds);
        rewriter.Stop();
        return (alone ?? rival.Run(milliseconds), beside);
    }
}
