using System;
using System.Collections.Generic;
using System.Globalization;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>What an urgent packet waits for while the bulk lane is flooded with packets of 5 MB.</summary>
internal static class UrgentRows
{
    /// <summary>One write of the send loop: what may stand between an urgent send and its own write.</summary>
    private const double OneWrite = 256 << 10;

    public static IEnumerable<Row> Run(RunOptions options, string scenario)
    {
        int count = options.Quick ? 20 : 100;
        var trips = new List<Dictionary<string, Distribution>>();
        var bytes = new List<(double Median, double Most)>();
        using var flood = new BodySink(BodySet.Make(UrgentJob.Flood));
        using var urgent = new DelaySink(UrgentJob.TimeAt, UrgentJob.MakeBody());
        using var receiver = new TransportReceiver(
            _ => new PacketRouter().OnRaw(BodySet.Type, p => flood.Take(p.Body)).OnRaw(UrgentJob.Type, p => urgent.Take(p.Body)),
            urgent.Fail);
        using var worker = new LoadWorker(receiver.Secret, "urgent", receiver.Address);
        for (int i = -1; i < options.Rounds; i++)
        {
            urgent.Expect(count);
            worker.Go(count);
            string[] answer = worker.Done().Split(' ');
            urgent.WaitForAll(options.Limit);
            flood.ThrowIfFailed();
            Distribution delays = urgent.Drain();
            if (i >= 0)
            {
                bytes.Add((double.Parse(answer[0], CultureInfo.InvariantCulture), double.Parse(answer[1], CultureInfo.InvariantCulture)));
                trips.Add(new Dictionary<string, Distribution>(StringComparer.Ordinal) { [Column.Transport] = delays });
            }
        }

        const string Urgent = "urgent beside a 5 MB flood: ";
        yield return Row.Make(options, scenario, Urgent + "bulk written before it, median", "B", Values(bytes, b => b.Median));
        yield return Row.Make(options, scenario, Urgent + "bulk written before it, most", "B", Values(bytes, b => b.Most),
            target: Target.ValueAtMost(OneWrite, OneWrite));
        yield return Row.Make(options, scenario, Urgent + "Send to handler p50", "us", Row.Pick(trips, d => d.P50 / 1000));
        yield return Row.Make(options, scenario, Urgent + "Send to handler p99", "us", Row.Pick(trips, d => d.P99 / 1000));
    }

    private static List<IReadOnlyDictionary<string, double>> Values<T>(List<T> rounds, Func<T, double> value) =>
        rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal)
        {
            [Column.Transport] = value(r),
        });
}
