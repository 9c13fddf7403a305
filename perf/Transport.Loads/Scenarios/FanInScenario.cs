using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>1, 2, 4 and 8 workers into one main node. Each number of workers shares the same number of events; the rounds of all are
/// interleaved.</summary>
internal sealed class FanInScenario : IScenario
{
    private const string OneWorker = "one worker";
    private const string AtOnce = "handlers at once";
    private const int TakingTurns = -8;   // eight workers whose handlers run one at a time

    private static readonly int[] s_workers = [1, 2, 4, 8];

    public string Name => "fan-in";

    public string Summary => "1, 2, 4, 8 workers into one main node: total events/s, fairness";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var rounds = new List<Dictionary<int, (Sample Sample, double Fairness)>>();
        using (var course = new FanInCourse(options, s_workers.Max()))
        {
            int events = options.Quick ? 40_000 : 400_000;
            for (int i = options.Quick ? -1 : -6; i < options.Rounds; i++)
            {
                var round = s_workers.Reverse().Append(TakingTurns).ToDictionary(w => w, w => course.Run(Math.Abs(w), events, w < 0));
                if (i >= 0)
                {
                    rounds.Add(round);
                }
            }
        }

        foreach (int workers in s_workers)
        {
            bool most = workers == s_workers.Max();
            yield return Make(options, rounds, workers, "total", "events/s", r => r.Sample.PacketsPerSecond, most ? Target.AtLeast(0.9)
                : null).In("throughput over workers", workers);
            yield return Make(options, rounds, workers, "CPU of all sides", "us/event", r => r.Sample.Cpu, null)
                .In("CPU of all sides over workers", workers);
            yield return Make(options, rounds, workers, "fairness: the last's share when the first is done", "of 1", r => r.Fairness, null);
        }

        // What a promise that handlers of all links run one at a time would cost at least: a lock around each call.
        yield return InTurns(options, rounds, "total", "events/s", s => s.PacketsPerSecond);
        yield return InTurns(options, rounds, "CPU of all sides", "us/event", s => s.Cpu);
    }

    private Row InTurns(RunOptions options, List<Dictionary<int, (Sample Sample, double Fairness)>> rounds, string metric, string unit,
        Func<Sample, double> value)
    {
        List<IReadOnlyDictionary<string, double>> values =
            rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal)
        {
            [Column.Transport] = value(r[TakingTurns].Sample),
            [AtOnce] = value(r[s_workers.Max()].Sample),
        });
        return Row.Make(options, Name, $"{s_workers.Max()} workers, handlers one at a time by a lock: {metric}", unit, values, AtOnce);
    }

    private Row Make(RunOptions options, List<Dictionary<int, (Sample Sample, double Fairness)>> rounds, int workers, string metric,
        string unit, Func<(Sample Sample, double Fairness), double> value, Target? target)
    {
        List<IReadOnlyDictionary<string, double>> values =
            rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal)
        {
            [Column.Transport] = value(r[workers]),
            [OneWorker] = value(r[1]),
        });
        return Row.Make(options, Name, $"{workers} workers: {metric}", unit, values, workers > 1 ? OneWorker : null, target);
    }
}
