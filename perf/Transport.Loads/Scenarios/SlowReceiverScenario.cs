using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>A receiver that takes 1 ms for 100 events: what waits, what memory it takes, what <c>Send</c> costs and answers.</summary>
internal sealed class SlowReceiverScenario : IScenario
{
    private const int MostRounds = 5;   // each takes seconds, and a process of its own

    public string Name => "slow-receiver";

    public string Summary => "1 ms a 100 events: memory at a backlog, what Send costs and answers";

    public IEnumerable<Row> Run(RunOptions options)
    {
        int events = options.Quick ? 20_000 : 100_000;
        var rows = new List<Row>();
        rows.AddRange(Measure(options, "budget above the load", 64L << 20, events, bounded: false));
        rows.AddRange(Measure(options, "budget 1 MiB", 1L << 20, events, bounded: true));
        return rows;
    }

    private static string[] Round(RunOptions options, EventCatalog catalog, long budget, int events)
    {
        using var never = new ManualResetEventSlim();
        using var sink = new EventSink(catalog);
        sink.Each = () =>
        {
            if (sink.Count % 100 == 0)
            {
                never.Wait(1);
            }
        };
        sink.Expect(events);
        using IEventReceiver receiver = Column.Receive(Column.Transport, sink);
        using var worker = new LoadWorker(receiver.Secret, "slow", receiver.Address, budget.ToString(CultureInfo.InvariantCulture));
        long before = GC.GetTotalMemory(forceFullCollection: true);
        worker.Go(events);
        string[] answer = worker.Done().Split(' ');
        long held = GC.GetTotalMemory(forceFullCollection: true) - before;   // while the rest still comes
        sink.WaitForAll(options.Limit);
        return [.. answer, held.ToString(CultureInfo.InvariantCulture)];
    }

    private IEnumerable<Row> Measure(RunOptions options, string name, long budget, int events, bool bounded)
    {
        var catalog = new EventCatalog();
        var rounds = new List<string[]>();
        for (int i = 0; i < Math.Min(options.Rounds, MostRounds); i++)
        {
            rounds.Add(Round(options, catalog, budget, events));
        }

        Row Make(string metric, string unit, Func<double[], double> value, Target? target = null) =>
            Row.Make(options, Name, $"{name}: {metric}", unit,
                rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal)
            {
                [Column.Transport] = value(Array.ConvertAll(r, v => double.Parse(v, CultureInfo.InvariantCulture))),
            }), target: target);
        yield return Make("wire bytes queued at the end", "MB", v => v[0] / 1e6);
        yield return Make("managed memory more than before", "MB", v => v[1] / 1e6, bounded ? Target.ValueAtMost(budget * 1.15 / 1e6, 10)
            : null);
        if (!bounded)
        {
            yield return Make("managed memory a wire byte queued", "B/B", v => v[1] / v[0], Target.ValueAtMost(1.15, 3));
        }

        yield return Make("private memory more than before", "MB", v => v[2] / 1e6);
        yield return Make("sends answered Full", "of 1000", v => v[3] * 1000 / events);
        yield return Make("managed memory of the receiver more than before", "MB", v => v[8] / 1e6);
        yield return Make("one Send p50", "ns", v => v[4]);
        yield return Make("one Send p99", "ns", v => v[5]);
        yield return Make("one Send max", "ns", v => v[7]);
    }
}
