using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>Recorded builds, event by event through the build harness (a program of its own), which compares every field of every event:
/// bytes on the wire with and without tables.</summary>
internal sealed class BinlogScenario : IScenario
{
    /// <summary>The scenario's word; behind it files may stand.</summary>
    public const string Word = "binlog";

    private const int MostRounds = 5;
    private const string Judged = "noop20.binlog";
    private const double MostMegabytes = 5;

    private static readonly (string Name, bool UseTables)[] s_forms = [("plain", false), ("tables", true)];

    public string Name => Word;

    public string Summary => "replay of recorded builds [FILE...]: bytes on the wire plain and with tables; events/s";

    public IEnumerable<Row> Run(RunOptions options)
    {
        string[] files = options.Files.Count > 0 ? [.. options.Files]
            : [.. Directory.GetFiles(Path.Combine(Repository.Root, "perf", "workload"), "*.binlog").Order(StringComparer.Ordinal)];
        if (options.Quick && options.Files.Count == 0)
        {
            files = [.. files.Where(f => Path.GetFileName(f) == Judged)];
        }

        var rows = new List<Row>();
        foreach (string file in files)
        {
            rows.AddRange(Replay(options, file));
        }

        return rows;
    }

    private List<Row> Replay(RunOptions options, string file)
    {
        var rows = new List<Row>();
        string build = Path.GetFileNameWithoutExtension(file);
        string? missing = HarnessReplay.Missing;
        var results = s_forms.ToDictionary(f => f.Name, _ => new List<HarnessReplay>(), StringComparer.Ordinal);
        for (int i = 0; i < (options.Quick ? 1 : Math.Min(options.Rounds, MostRounds)) && missing is null; i++)
        {
            foreach ((string name, bool useTables) in s_forms)
            {
                results[name].Add(HarnessReplay.Run(file, useTables));
            }
        }

        foreach ((string name, bool useTables) in s_forms)
        {
            Target? target = Path.GetFileName(file) == Judged && useTables ? Target.ValueAtMost(MostMegabytes) : null;
            void Add(string metric, string unit, Func<HarnessReplay, double> value, Target? held = null) => rows.Add(missing is not null
                ? Row.Missing(options, Name, $"{build}, {name}: {metric}", unit, missing, target: held)
                : Row.Make(options, Name, $"{build}, {name}: {metric}", unit, results[name].ConvertAll<IReadOnlyDictionary<string, double>>(
                    r => new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = value(r) }), target: held));
            Add("on the wire", "MB", r => r.Bytes / 1e6, target);
            Add("an event", "B", r => (double)r.Bytes / r.Events);
            Add("replayed, start of the processes and reading of the file included", "events/s", r => r.Events / r.Seconds);
            Add("CPU of both sides, the same included", "us/event", r => r.CpuMicros / r.Events);
        }

        return rows;
    }
}
