using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using Transport.Loads.Report;
using Transport.Loads.Restores;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>A restore graph between two processes: item by item with tables, and as MSBuild's one packet.</summary>
internal sealed class RestoreGraphScenario : IScenario
{
    public string Name => "restore-graph";

    public string Summary => "a restore graph of 223,000 items: item by item, and as MSBuild's one packet";

    public IEnumerable<Row> Run(RunOptions options)
    {
        int items = options.Quick ? RestoreGraph.Items / 20 : RestoreGraph.Items;
        var rounds = new List<Dictionary<string, GraphRound>>();
        for (int i = 0; i < options.Rounds; i++)
        {
            rounds.Add(Turns.Rotated(GraphColumn.All, i)
                .ToDictionary(column => column, column => Run(column, items), StringComparer.Ordinal));
        }

        Row Make(string metric, string unit, Func<GraphRound, double> value, string? against, Target? target) =>
            Row.Make(options, Name, metric, unit, Row.Pick(rounds, value), against, target);
        yield return Make("time", "s", r => r.Seconds, GraphColumn.BodyFirst, Target.AtMost(0.5));
        yield return Make("CPU of both sides", "s", r => r.CpuSeconds, GraphColumn.BodyFirst, null);
        yield return Make("bytes", "MB", r => r.Bytes / 1e6, GraphColumn.BodyFirst, Target.AtMost(0.4));
        yield return Make("peak memory of the sender", "MB", r => r.SenderPeak / 1e6, null, Target.ValueAtMost(96));
        yield return Make("peak memory of the reader", "MB", r => r.ReaderPeak / 1e6, null, Target.ValueAtMost(96));
    }

    /// <summary>Two new processes: the most memory that a process had is of all its life.</summary>
    private static GraphRound Run(string column, int items)
    {
        using var sender = new LoadWorker(string.Empty, "graph-send", column);
        using var reader = new LoadWorker(string.Empty, "graph-read", column);
        sender.Go("address");
        string address = sender.Done();
        var clock = Stopwatch.StartNew();
        sender.Go("send", items);
        reader.Go("read", address);
        string[] sent = sender.Done().Split(' ');
        string read = reader.Done();
        double seconds = clock.Elapsed.TotalSeconds;
        if (read != sent[0])
        {
            throw new LoadException($"The items that were sent add up to {sent[0]}, those that were read to {read}.");
        }

        double cpu = sender.Stop().CpuMicros + reader.Stop().CpuMicros;
        return new GraphRound(
            seconds, cpu / 1e6, long.Parse(sent[1], CultureInfo.InvariantCulture), sender.Peak(), reader.Peak());
    }

    private sealed record GraphRound(double Seconds, double CpuSeconds, long Bytes, long SenderPeak, long ReaderPeak);
}
