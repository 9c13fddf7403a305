using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Transport.Loads.Journals;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>How fast a journal is looked over that lies in the page cache: the same files by this library and by C with the same
/// instruction.</summary>
internal sealed class JournalRecoveryScenario : IScenario
{
    private const string Verify = "verify";
    private const string Read = "read";

    /// <summary>40 bytes of header, 2 of the node's name, 256 of the body, up to a multiple of 8.</summary>
    private const long RecordBytes = 304;

    public string Name => "journal-recovery";

    public string Summary =>
        "looking over a journal of 256 B records in the page cache, beside C on the same files; opening one whose writer was killed";

    public IEnumerable<Row> Run(RunOptions options)
    {
        using var bench = new JournalBench(options);
        JournalProcess.Rival written = bench.Ours.Open(new JournalLoad("None", JournalWay.Queue));
        written.Run(options.Quick ? 400 : 1000);
        written.Close();
        string[] files = [.. Directory.GetFiles(bench.Ours.PathOf(written.Name), "*.segment").Order(StringComparer.Ordinal)];
        var rivals = new Dictionary<string, IJournalRival>(StringComparer.Ordinal)
        {
            [Column.Transport] = new Look(bench.Ours, Verify, written.Name),
            [Read] = new Look(bench.Ours, Read, written.Name),
        };
        if (bench.Floor.Scan(files) is { } floor)
        {
            rivals.Add(Column.Floor, floor);
        }

        List<Dictionary<string, JournalSample>> rounds = bench.Rounds(rivals, 0, options.Rounds);
        JournalBench.Close(rivals.Values);
        if (rounds.SelectMany(r => r.Values).Select(s => s.Records).Distinct().Count() > 1)
        {
            throw new LoadException($"Those who looked over the journal do not agree on its records: "
                + $"{string.Join(", ", rounds[0].Select(p => $"{p.Key} {p.Value.Records}"))}.");
        }

        long bytes = rounds[0][Column.Transport].Records * RecordBytes;

        Row Make(string metric, string unit, Func<JournalSample, double> value, Target? target = null) =>
            Row.Make(options, Name, metric, unit, Row.Pick(rounds, value), Column.Floor, target, bench.Floor.Missing);
        return
        [
            Make($"scan of {bytes >> 20} MiB, cached", "records/s", s => s.RecordsPerSecond, Target.AtLeast(0.8)),
            Make("scan, cached: speed", "GB/s", s => bytes / s.Seconds / 1e9),
            Make("scan, cached: CPU", "us/record", s => s.CpuPerRecord),
            Row.Make(options, Name, "every record shown to a reader, against the scan", "records/s",
                [.. Row.Pick(rounds, s => s.RecordsPerSecond).Select(ReaderAgainstScan)], Verify),
            .. Killed(options, bench),
        ];
    }

    private static IReadOnlyDictionary<string, double> ReaderAgainstScan(IReadOnlyDictionary<string, double> round) =>
        new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = round[Read], [Verify] = round[Column.Transport] };

    /// <summary>Opens copies of a journal whose process was killed between two rounds.</summary>
    private IEnumerable<Row> Killed(RunOptions options, JournalBench bench)
    {
        var rounds = new List<IReadOnlyDictionary<string, double>>();
        string killed;
        string folder = bench.Ours.PathOf("killed");
        Directory.CreateDirectory(folder);
        using (var process = new JournalProcess(folder, options.Quick))
        {
            JournalProcess.Rival journal = process.Open(new JournalLoad("GroupCommit", JournalWay.Threads, Producers: 4, Depth: 64));
            journal.Run(options.Quick ? 50 : 200);
            killed = process.PathOf(journal.Name);
        }

        for (int i = 0; i < Math.Min(options.Rounds, 5); i++)
        {
            string name = FormattableString.Invariant($"copy-{i}");
            Directory.CreateDirectory(bench.Ours.PathOf(name));
            foreach (string file in Directory.GetFiles(killed))
            {
                File.Copy(file, Path.Combine(bench.Ours.PathOf(name), Path.GetFileName(file)));
            }

            rounds.Add(new Dictionary<string, double>(StringComparer.Ordinal)
            {
                [Column.Transport] = bench.Ours.Measure("reopen", name).Seconds * 1e3,
            });
            Directory.Delete(bench.Ours.PathOf(name), recursive: true);
        }

        yield return Row.Make(options, Name, $"open, repair, close after a kill, segments of {bench.Ours.Segment >> 20} MiB", "ms", rounds);
    }

    /// <summary>Looks a closed journal over, once a round.</summary>
    private sealed class Look(JournalProcess process, string how, string name) : IJournalRival
    {
        public JournalSample Run(int milliseconds) => process.Measure(how, name);

        public void Dispose()
        {
            // The files go with the folder.
        }
    }
}
