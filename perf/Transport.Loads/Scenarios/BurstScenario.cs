using System;
using System.Collections.Generic;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>How long an event is on its way while a real build's bursts arrive. The sender spins between its sends, so it takes a core for
/// itself.</summary>
internal sealed class BurstScenario : IScenario
{
    /// <summary>The arrival of a recorded build: its busiest 10 ms, 100 ms and 1 s.</summary>
    private static readonly (string Name, int Rate, double Seconds)[] s_bursts =
    [
        ("160 k/s for 10 ms", 160_000, 0.01),
        ("57 k/s for 100 ms", 57_000, 0.1),
        ("30 k/s for 1 s", 30_000, 1),
    ];

    public string Name => "burst";

    public string Summary => "a real build's bursts: delay from Send to handler";

    public IEnumerable<Row> Run(RunOptions options)
    {
        using var sink = new DelaySink(BurstJob.TimeAt, BurstJob.MakeBody());
        using var receiver = new TransportReceiver(_ => new PacketRouter().OnRaw(BodySet.Type, p => sink.Take(p.Body)), sink.Fail);
        using var worker = new LoadWorker(receiver.Secret, "burst", receiver.Address);
        Distribution Ask(int count, int rate)
        {
            sink.Expect(count);
            worker.Go(count, rate);
            worker.Done();
            sink.WaitForAll(options.Limit);
            return sink.Drain();
        }

        Ask(20_000, 100_000);
        var rows = new List<Row>();
        foreach ((string name, int rate, double seconds) in s_bursts)
        {
            double length = options.Quick ? Math.Min(seconds, 0.2) : seconds;
            var rounds = new List<Dictionary<string, Distribution>>();
            for (int i = 0; i < options.Rounds; i++)
            {
                rounds.Add(new Dictionary<string, Distribution>(StringComparer.Ordinal)
                {
                    [Column.Transport] = Ask((int)(rate * length), rate),
                });
            }

            rows.Add(Row.Make(options, Name, $"{name}: delay p50", "us", Row.Pick(rounds, d => d.P50 / 1000)));
            rows.Add(Row.Make(options, Name, $"{name}: delay p99", "us", Row.Pick(rounds, d => d.P99 / 1000)));
            rows.Add(Row.Make(options, Name, $"{name}: delay max", "us", Row.Pick(rounds, d => d.Max / 1000)));
        }

        return rows;
    }
}
