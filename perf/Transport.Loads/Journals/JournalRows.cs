using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Journals;

/// <summary>The rows of one case of a journal's load.</summary>
internal static class JournalRows
{
    /// <summary>What still counts as no allocation, in bytes a record: what a round allocates by itself is taken off before.</summary>
    private const double Nothing = 0.5;

    /// <summary>Gets what the back end uring is to reach beside write.</summary>
    public static Target AgainstWrite => Target.AtLeast(1.1);

    /// <summary>Makes them: speed against each rival, then what a wait, a record's CPU and its allocations come to.</summary>
    public static IEnumerable<Row> Of(
        RunOptions options, string scenario, JournalCase load, JournalBench bench, List<Dictionary<string, JournalSample>> rounds)
    {
        Row Make(string metric, string unit, Func<JournalSample, double> value, string against, Target? target = null) =>
            Row.Make(options, scenario, $"{load.Name}: {metric}", unit, Row.Pick(rounds, value), against, target, bench.Why(against));
        yield return Make("against C", "records/s", s => s.RecordsPerSecond, Column.Floor, load.AgainstFloor);
        if (load.Redis is not null)
        {
            yield return Make("against redis", "records/s", s => s.RecordsPerSecond, Column.Redis, load.AgainstRedis);
        }

        if (load.Sqlite is not null)
        {
            yield return Make("against SQLite", "records/s", s => s.RecordsPerSecond, Column.Sqlite, load.AgainstSqlite);
        }

        if (load.Uring)
        {
            string name = $"{load.Name}, back end uring: against write";
            yield return bench.WhyNoUring is { } why
                ? Row.Missing(options, scenario, name, "records/s", why, JournalBench.Write, AgainstWrite)
                : Row.Make(options, scenario, name, "records/s", [.. rounds.Select(Pair)], JournalBench.Write, AgainstWrite);
        }

        if (rounds.Any(r => r[Column.Transport].Wait is not null))
        {
            yield return Make("a wait, p50", "us", s => (s.Wait?.P50 ?? double.NaN) / 1e3, Column.Floor);
            yield return Make("a wait, p99", "us", s => (s.Wait?.P99 ?? double.NaN) / 1e3, Column.Floor);
        }

        yield return Make("CPU", "us/record", s => s.CpuPerRecord, Column.Floor);
        yield return Row.Make(options, scenario, $"{load.Name}: allocated", "B/record", Row.Pick(rounds, s => s.AllocatedPerRecord),
            target: Target.ValueAtMost(Nothing, 16));
    }

    private static IReadOnlyDictionary<string, double> Pair(Dictionary<string, JournalSample> round) =>
        new Dictionary<string, double>(StringComparer.Ordinal)
    {
        [Column.Transport] = round[JournalBench.Uring].RecordsPerSecond, [JournalBench.Write] = round[Column.Transport].RecordsPerSecond,
    };
}
