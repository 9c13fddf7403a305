using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>What traces, meters and typed services add to a request, and what an item of a stream costs beside one.</summary>
internal sealed class RequestsScenario : IScenario
{
    public string Name => "requests";

    public string Summary => "requests traced, metered, as calls of a service, and items of a stream, beside RequestAsync alone";

    public IEnumerable<Row> Run(RunOptions options)
    {
        int count = options.Quick ? 500 : 8_000;
        int events = options.Quick ? 20_000 : 3_000_000;
        (string Name, string Way, string Base, int Count, int AtOnce, Target? Target)[] rows =
        [
            ("traced, one at a time", RequestsJob.Traced, RequestsJob.Plain, count, 1, Target.AtMost(1.10)),
            ("traced, 32 at once", RequestsJob.Traced, RequestsJob.Plain, 5 * count, 32, null),
            ("meter read each second, one at a time", RequestsJob.Metered, RequestsJob.Plain, count, 1, null),
            ("call of a service, one at a time", RequestsJob.Service, RequestsJob.Plain, count, 1, Target.AtMost(1.05)),
            ("call of a service, 32 at once", RequestsJob.Service, RequestsJob.Plain, 5 * count, 32, Target.AtMost(1.05)),
            ("item of a stream, beside requests 32 at once", RequestsJob.Stream, RequestsJob.Plain, 5 * count, 32, Target.AtMost(1)),
            ("log event, meter read each second", RequestsJob.MeteredEvents, RequestsJob.Events, events, 1, Target.AtMost(1.03)),
        ];
        using var worker = new LoadWorker(string.Empty, "requests");
        return [.. rows.Select(row => Row.Make(
            options, Name, $"CPU of both sides, {row.Name}", "us", Measure(options, worker, row.Way, row.Base, row.Count, row.AtOnce),
            Column.Request, row.Target))];
    }

    /// <summary>Each round takes both ways in short turns, so that whatever else the machine does meets them alike.</summary>
    private static List<IReadOnlyDictionary<string, double>> Measure(
        RunOptions options, LoadWorker worker, string way, string beside, int count, int atOnce)
    {
        int turns = options.Quick ? 1 : 20;
        var rounds = new List<IReadOnlyDictionary<string, double>>();
        for (int i = options.Quick ? -2 : -1; i < options.Rounds; i++)
        {
            var sums = new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = 0, [Column.Request] = 0 };
            for (int turn = 0; turn < turns; turn++)
            {
                foreach (string one in Turns.Rotated([way, beside], turn))
                {
                    sums[one == way ? Column.Transport : Column.Request] += Ask(worker, one, count / turns, atOnce) / turns;
                }
            }

            if (i >= 0)
            {
                rounds.Add(sums);
            }
        }

        return rounds;
    }

    private static double Ask(LoadWorker worker, string way, int count, int atOnce)
    {
        worker.Go(way.Replace(' ', '-'), count, atOnce);
        return double.Parse(worker.Done(), CultureInfo.InvariantCulture);
    }
}
