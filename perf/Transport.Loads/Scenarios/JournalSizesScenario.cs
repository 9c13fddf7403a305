using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Journals;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>How the journal goes with the size of records and the number of producers. Few rounds, no targets.</summary>
internal sealed class JournalSizesScenario : IScenario
{
    private const int MostRounds = 5;

    private static readonly int[] s_sizes = [64, 256, 1 << 10, 4 << 10, 64 << 10];
    private static readonly int[] s_producers = [1, 4, 16, 64];

    public string Name => "journal-sizes";

    public string Summary => "the journal with bodies of 64 B to 64 KiB and 1, 4, 16, 64 producers, beside C; few rounds, no targets";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var rows = new List<Row>();
        using var bench = new JournalBench(options);
        int[] sizes = options.Quick ? [64 << 10] : s_sizes;
        foreach (int producers in options.Quick ? [64] : s_producers)
        {
            foreach (int size in sizes)
            {
                rows.Add(Measure(options, bench, $"Group, {producers} awaiting task{(producers == 1 ? string.Empty : "s")}",
                    new JournalLoad("GroupCommit", JournalWay.Tasks, size, producers), "group"));
            }
        }

        foreach (int size in sizes)
        {
            rows.Add(Measure(options, bench, "No sync, 1 producer that does not wait", new JournalLoad("None", JournalWay.Queue, size),
                "buffer"));
        }

        return rows;
    }

    private Row Measure(RunOptions options, JournalBench bench, string name, JournalLoad load, string floor)
    {
        var rounds = bench.Run(new JournalCase(name, load, floor) { Milliseconds = 100 }, Math.Min(options.Rounds, MostRounds));
        return Row.Make(options, Name, FormattableString.Invariant($"{name}, {load.Size} B"), "records/s",
            Row.Pick(rounds, s => s.RecordsPerSecond), Column.Floor, why: bench.Floor.Missing)
            .In($"{name}: records a second over bytes of a body", load.Size);
    }
}
