using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Transport.Journal;
using Transport.Loads.Journals;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>Workers over links, each of which waits after 64 packets until they are on the main node's disk; beside redis with as many
/// clients and requests on the way, and producers of one process at the same journal.</summary>
internal sealed class DurableScenario : IScenario
{
    private const int Milliseconds = 1_000, QuickMilliseconds = 40;

    private static readonly int[] s_workers = [1, 4, 16, 50];

    public string Name => "durable";

    public string Summary => "1, 4, 16, 50 workers that wait until each 64 packets are on disk, beside redis and one process";

    public IEnumerable<Row> Run(RunOptions options)
    {
        using var bench = new JournalBench(options);
        using var disk = new JournalDisk();
        int[] numbers = options.Quick ? [1, 4] : s_workers;
        using var main = new DurableMain(numbers.Max());
        if (!options.Quick)
        {
            main.WarmUpWorkers(Path.Combine(disk.Path, "warm"));
        }

        return [.. numbers.SelectMany(workers => Measure(options, bench, disk.Path, main, workers))];
    }

    private static JournalCase CaseOf(int workers) =>
        new($"{workers} workers", new JournalLoad("GroupCommit", JournalWay.Threads, Producers: workers, Depth: DurableJob.Window), "group")
        {
            Redis = ("always", workers, DurableJob.Window), Milliseconds = Milliseconds,
        };

    private List<Row> Measure(RunOptions options, JournalBench bench, string folder, DurableMain main, int workers)
    {
        Dictionary<string, IJournalRival> rivals = bench.Open(CaseOf(workers));
        rivals.Remove(Column.Transport, out IJournalRival? group);
        rivals.Remove(Column.Floor, out IJournalRival? floor);
        floor?.Dispose();
        rivals[Column.InProcess] = group!;
        IJournalRival? Links(JournalBackEnd backEnd, out string why) =>
            main.Open(Path.Combine(folder, $"{workers}-{backEnd}"), workers, backEnd, out why);
        rivals[Column.Transport] = Links(JournalBackEnd.Write, out _)!;
        if (Links(JournalBackEnd.Uring, out string whyNoUring) is { } uring)
        {
            rivals[JournalBench.Uring] = uring;
        }

        try
        {
            List<Dictionary<string, JournalSample>> rounds =
                bench.Rounds(rivals, options.Quick ? QuickMilliseconds : Milliseconds, options.Rounds);
            return [.. RowsOf(options, bench, workers, rounds, whyNoUring)];
        }
        finally
        {
            JournalBench.Close(rivals.Values);
        }
    }

    private IEnumerable<Row> RowsOf(
        RunOptions options, JournalBench bench, int workers, List<Dictionary<string, JournalSample>> rounds, string whyNoUring)
    {
        Row Make(string metric, string unit, Func<JournalSample, double> value, string against, Target? target, string? why) =>
            Row.Make(options, Name, $"{workers} workers: {metric}", unit, Row.Pick(rounds, value), against, target, why);
        Target redis = Target.AtLeast(workers >= 50 ? 2 : 1.2);
        yield return Make("against redis", "packets/s", s => s.RecordsPerSecond, Column.Redis, redis, bench.Why(Column.Redis));
        yield return Make("against producers of one process", "packets/s", s => s.RecordsPerSecond, Column.InProcess,
            workers >= 16 ? Target.AtLeast(0.8) : null, null);
        yield return whyNoUring.Length > 0
            ? Row.Missing(options, Name, $"{workers} workers: against uring", "packets/s", whyNoUring, JournalBench.Uring)
            : Make("against uring", "packets/s", s => s.RecordsPerSecond, JournalBench.Uring, null, null);
        yield return Make("CPU of all sides", "us/packet", s => s.CpuPerRecord, Column.Redis, null, bench.Why(Column.Redis));
        yield return Make("a wait, p50", "us", s => (s.Wait?.P50 ?? double.NaN) / 1e3, Column.Redis, null, bench.Why(Column.Redis));
        yield return Make("a wait, p99", "us", s => (s.Wait?.P99 ?? double.NaN) / 1e3, Column.Redis, null, bench.Why(Column.Redis));
    }
}
