using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;
using Transport.Receiving;

namespace Transport.Loads.Scenarios;

/// <summary>What an urgent packet waits for while the bulk lane is flooded with packets of 5 MB.</summary>
internal static class UrgentRows
{
    /// <summary>One write of the send loop: what may stand between an urgent send and its own write.</summary>
    private const double OneWrite = 256 << 10;

    public static IEnumerable<Row> Run(RunOptions options, string scenario)
    {
        int count = options.Quick ? 20 : 100;
        var delays = new List<long>();
        var trips = new List<Dictionary<string, Distribution>>();
        var bytes = new List<(double Median, double Most)>();
        using var receiver = new TransportReceiver(
            _ => new PacketRouter().OnRaw(BodySet.Type, _ => { }).OnRaw(UrgentJob.Type, p =>
            {
                // Both processes read the same monotonic clock.
                long delay = Stopwatch.GetTimestamp() - BinaryPrimitives.ReadInt64BigEndian(p.Body.Span[1..]);
                lock (delays)
                {
                    delays.Add(delay);
                }
            }),
            fault => options.Say($"{scenario}: {fault}"));
        using var worker = new LoadWorker(receiver.Secret, "urgent", receiver.Address);
        for (int i = 0; i < options.Rounds; i++)
        {
            worker.Go(count);
            string[] answer = worker.Done().Split(' ');
            bytes.Add((double.Parse(answer[0], CultureInfo.InvariantCulture), double.Parse(answer[1], CultureInfo.InvariantCulture)));
            lock (delays)
            {
                trips.Add(new Dictionary<string, Distribution>(StringComparer.Ordinal) { [Column.Transport] = Distribution.Of(delays.ToArray()) });
                delays.Clear();
            }
        }

        const string Urgent = "urgent beside a 5 MB flood: ";
        yield return Row.Make(options, scenario, Urgent + "bulk written before it, median", "B", Values(bytes, b => b.Median));
        yield return Row.Make(options, scenario, Urgent + "bulk written before it, most", "B", Values(bytes, b => b.Most), target: Target.ValueAtMost(OneWrite, OneWrite * 8));
        yield return Row.Make(options, scenario, Urgent + "Send to handler p50", "us", Row.Pick(trips, d => d.P50 / 1000));
        yield return Row.Make(options, scenario, Urgent + "Send to handler p99", "us", Row.Pick(trips, d => d.P99 / 1000));
    }

    private static List<IReadOnlyDictionary<string, double>> Values<T>(List<T> rounds, Func<T, double> value) =>
        rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = value(r) });
}
