using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>Mono as worker, as main node, as both, beside .NET 10 at both ends: both ends are processes of their own, the same sources on
/// either runtime.</summary>
internal sealed class MonoScenario : IScenario
{
    private const string Net = ".NET 10";
    private const int LargePacket = 1 << 20;

    private static readonly string[] s_pairs = ["Mono as worker", "Mono as main node", "Mono as both"];

    public string Name => "mono";

    public string Summary => "events, 1 MB packets and pings with Mono as worker, as main node, as both, beside .NET 10";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var rows = new List<Row>();
        WorkerKind? mono = WorkerKind.Mono(out string why);
        Dictionary<string, (WorkerKind Worker, WorkerKind Main)>? pairs = mono is null ? null : new(StringComparer.Ordinal)
        {
            [Net] = (WorkerKind.Net, WorkerKind.Net),
            [s_pairs[0]] = (mono, WorkerKind.Net),
            [s_pairs[1]] = (WorkerKind.Net, mono),
            [s_pairs[2]] = (mono, mono),
        };
        var events = pairs is null ? null : PairCourse.Rounds(options, pairs, "decoded", "link-events", 1_000);
        Compare(options, rows, events, why, "events", "events/s", s => s.PacketsPerSecond, null);
        Compare(options, rows, events, why, "events, CPU of both sides", "us/event", s => s.Cpu, Target.AtMost(2.5));
        string largeWord = LargePacket.ToString(CultureInfo.InvariantCulture);
        var large = pairs is null ? null : PairCourse.Rounds(options, pairs, largeWord, "bodies", 20);
        Compare(options, rows, large, why, "1 MB packets", "GB/s", s => s.PacketsPerSecond * LargePacket / 1e9, null);
        Compare(options, rows, large, why, "1 MB packets, CPU of both sides", "us/packet", s => s.Cpu, null);
        var pings = pairs is null ? null : Pings(options, pairs);
        Compare(options, rows, pings, why, "ping p50", "us", d => d.P50 / 1000, null);
        Compare(options, rows, pings, why, "ping p99", "us", d => d.P99 / 1000, null);
        return rows;
    }

    private static List<Dictionary<string, Distribution>> Pings(
        RunOptions options, Dictionary<string, (WorkerKind Worker, WorkerKind Main)> pairs)
    {
        int trips = options.Quick ? 300 : 1_000;
        var ends = new Dictionary<string, (LoadWorker Echo, LoadWorker Ping)>(StringComparer.Ordinal);
        var rounds = new List<Dictionary<string, Distribution>>();
        try
        {
            foreach ((string name, (WorkerKind worker, WorkerKind main)) in pairs)
            {
                var echo = new LoadWorker(main, string.Empty, "echo");
                echo.Go("address");
                string[] address = echo.Done().Split(' ');
                ends[name] = (echo, new LoadWorker(worker, address[1], "link-ping", address[0]));
            }

            for (int i = -2; i < options.Rounds; i++)
            {
                var round = Turns.Rotated(ends.Keys, Math.Max(0, i)).ToDictionary(e => e, e =>
                {
                    ends[e].Ping.Go(trips);
                    return Distribution.Parse(ends[e].Ping.Done());
                }, StringComparer.Ordinal);
                if (i >= 0)
                {
                    rounds.Add(round);
                }
            }
        }
        finally
        {
            foreach ((LoadWorker echo, LoadWorker ping) in ends.Values)
            {
                ping.Dispose();
                echo.Dispose();
            }
        }

        return rounds;
    }

    private void Compare<T>(RunOptions options, List<Row> rows, List<Dictionary<string, T>>? rounds, string why, string metric, string unit,
        Func<T, double> value, Target? target)
    {
        foreach (string pair in s_pairs)
        {
            string name = $"{pair}: {metric}";
            rows.Add(rounds is null
                ? Row.Missing(options, Name, name, unit, why, Net, target)
                : Row.Make(options, Name, name, unit,
                    rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal)
                {
                    [Column.Transport] = value(r[pair]),
                    [Net] = value(r[Net]),
                }), Net, target));
        }
    }
}
