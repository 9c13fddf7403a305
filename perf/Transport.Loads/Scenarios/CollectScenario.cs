using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Transport.Loads.Collects;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Trees;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>What <c>build --collect-outputs</c> does to log packets of the same link, how fast it is, and what memory the main node takes
/// for it.</summary>
internal sealed class CollectScenario : IScenario
{
    /// <summary>One write of the send loop: what may stand between the Send of a log packet and its own write.</summary>
    private const double OneWrite = 256 << 10;

    /// <summary>In MB: one worker's window of 1 MiB in blocks of powers of two, the writers' 2 MiB, 5 of code compiled for all that, and
    /// twice the 6 MiB of new objects after which the collector runs, since what it moved has not gone back yet.</summary>
    private const double Memory = 24;

    public string Name => "collect";

    public string Summary => "outputs of a worker collected, tmpfs: log packets beside them, speed, memory; beside cp and tar";

    public IEnumerable<Row> Run(RunOptions options)
    {
        using TreePlace? place = TreePlace.InMemory();
        if (place is null)
        {
            return [Row.Missing(options, Name, "a collection", "GB/s", "no /dev/shm here")];
        }

        place.BeginRound();
        string home = Directory.CreateDirectory(place.Fresh()).FullName, outputs = Path.Combine(home, "outputs");
        long bytes = CollectTree.Make(outputs, options.Quick);
        var rounds = new List<(CollectRound Alone, CollectRound Beside, double Cp, double Tar)>();
        double held;
        using (var main = new LoadWorker(CollectMainJob.Kind, string.Empty, "collect-main", home, outputs))
        {
            for (int i = -1; i < options.Rounds; i++)
            {
                var round = (CollectRound.Parse(Ask(main, $"alone {(options.Quick ? "50" : "300")}")), CollectRound.Parse(Ask(main,
                    "collect")), Copy("cp -r \"$0\" \"$1\""), Copy("mkdir \"$1\" && tar -cf - -C \"$0\" . | tar -xf - -C \"$1\""));
                if (i >= 0)
                {
                    rounds.Add(round);
                }
            }

            held = double.Parse(Ask(main, "held"), CultureInfo.InvariantCulture);   // once, because it changes what the collector keeps
            Ask(main, "publish");
            CollectTree.ExpectSame(outputs, Path.Combine(CollectBench.Target(home), "Project"));
        }

        place.EndRound();
        return Rows(options, rounds, bytes / 1e9, held);

        double Copy(string script)
        {
            string to = Path.Combine(home, "copy");
            double seconds = TreeSample.OfProgram("sh", "-c", script, outputs, to).Seconds;
            Directory.Delete(to, recursive: true);
            return seconds;
        }
    }

    private static string Ask(LoadWorker main, string order)
    {
        main.Go([.. order.Split(' ')]);
        return main.Done();
    }

    private IEnumerable<Row> Rows(
        RunOptions options, List<(CollectRound Alone, CollectRound Beside, double Cp, double Tar)> rounds, double gigabytes, double held)
    {
        Row Delay(string metric, Func<CollectRound, double> value) => Row.Make(
            options, Name, metric, "us", Values(r => [(Column.Transport, value(r.Beside)), (Column.Alone, value(r.Alone))]), Column.Alone);
        Row Value(string metric, string unit, Func<CollectRound, double> value, Target? target = null) =>
            Row.Make(options, Name, metric, unit, Values(r => [(Column.Transport, value(r.Beside))]), target: target);
        Row Speed(string against) => Row.Make(
            options,
            Name,
            "files through chunks, SHA-256 and writers, beside " + against,
            "GB/s",
            Values(r => [(Column.Transport, gigabytes / r.Beside.Seconds), (Column.Cp, gigabytes / r.Cp),
                (Column.TwoTars, gigabytes / r.Tar)]),
            against);
        yield return Value("bulk written before a log packet, median", "B", r => r.MedianBulk);
        yield return Value("bulk written before a log packet, most", "B", r => r.MostBulk, Target.ValueAtMost(OneWrite, OneWrite));
        yield return Delay("log packet beside outputs, Send to handler p50", r => r.Delays.P50 / 1000);
        yield return Delay("log packet beside outputs, Send to handler p99", r => r.Delays.P99 / 1000);
        yield return Speed(Column.Cp);
        yield return Speed(Column.TwoTars);
        yield return Value("private memory of the main node, most, over that of log packets alone", "MB", r => r.Memory / 1e6,
            Target.ValueAtMost(Memory, 100));
        yield return Row.Make(options, Name, "of it held behind the last round, garbage taken off", "MB",
            [new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = held / 1e6 }]);

        List<IReadOnlyDictionary<string, double>> Values(
            Func<(CollectRound Alone, CollectRound Beside, double Cp, double Tar), (string Column, double Value)[]> pick) =>
            rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r =>
                pick(r).ToDictionary(v => v.Column, v => v.Value, StringComparer.Ordinal));
    }
}
