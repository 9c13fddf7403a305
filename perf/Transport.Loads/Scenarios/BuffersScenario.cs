using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>The pool of links beside others that may be given to them (<c>LinkOptions.Buffers</c>): a rent and return by itself, and the
/// CPU of events and of large packets with each.</summary>
internal sealed class BuffersScenario : IScenario
{
    private const int MostRoundsOfStreams = 5;   // each takes a second

    private static readonly string[] s_columns = Column.OfBuffers;

    public string Name => "buffers";

    public string Summary =>
        "links on their own pool, RecyclableMemoryStream, ArrayPool.Shared, plain arrays: events, 5 MB packets, 200 MB streams";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var rows = new List<Row>();
        foreach ((string name, int size) in new[] { ("64 KiB", 64 << 10), ("5 MB", 5 << 20) })
        {
            rows.Add(Row.Make(options, Name, $"rent and return of {name}", "ns", RentAndReturn(options, size)));
        }

        rows.AddRange(Measure(options, "256 B events", "decoded", "link-events", 5_000, judged: true));
        rows.AddRange(Measure(options, "5 MB packets", (5 << 20).ToString(CultureInfo.InvariantCulture), "bodies", 10, judged: false));
        string streams = HeldJob.Streams + (200 << 20).ToString(CultureInfo.InvariantCulture);
        RunOptions few = options with { Rounds = Math.Min(options.Rounds, MostRoundsOfStreams) };
        rows.AddRange(Measure(few, "200 MB streams", streams, "streams", 1, judged: false));
        return rows;
    }

    private IEnumerable<Row> Measure(RunOptions options, string name, string what, string job, int least, bool judged)
    {
        var held = new Dictionary<string, double>(StringComparer.Ordinal);
        List<Dictionary<string, Sample>> rounds = PairCourse.Rounds(
            options, s_columns.ToDictionary(c => c, KindOf), what, job, least, (column, bytes) => held[column] = bytes / (1 << 20));
        foreach (string other in s_columns.Skip(1))
        {
            yield return Row.Make(options, Name, $"{name}: CPU of both sides, beside {other}", "us", Row.Pick(rounds, s => s.Cpu), other,
                judged ? Target.AtMost(1.02) : null);
        }

        yield return Row.Make(options, Name, $"{name}: allocated by both sides", "B/packet",
            Row.Pick(rounds, s => s.AllocatedBySender + s.AllocatedByReceiver));
        yield return Row.Make(options, Name, $"{name}: private memory of the receiver afterwards, garbage collected", "MiB", [held]);
    }

    private static (WorkerKind Worker, WorkerKind Main) KindOf(string column)
    {
        WorkerKind kind = column == Column.Transport ? WorkerKind.Net : WorkerKind.Net.With(LoadBuffers.Variable, column);
        return (kind, kind);
    }

    /// <summary>On one thread, the best case of all of them; several are out at a time, as in a queue.</summary>
    private static List<IReadOnlyDictionary<string, double>> RentAndReturn(RunOptions options, int size)
    {
        const int Out = 4;
        int turns = options.Quick ? 200 : 2_000;
        var own = new ShelfPool(64 << 20);
        var pools = new Dictionary<string, SegmentPool>(StringComparer.Ordinal) { [Column.Transport] = own };
        foreach (string other in s_columns.Skip(1))
        {
            pools[other] = new SourcePool(LoadBuffers.Make(other));
        }

        var rounds = new List<IReadOnlyDictionary<string, double>>();
        var rented = new Segment[Out];
        for (int i = -2; i < options.Rounds; i++)
        {
            var round = new Dictionary<string, double>(StringComparer.Ordinal);
            foreach (string column in Turns.Rotated(s_columns, i + 2))
            {
                SegmentPool pool = pools[column];
                long start = Stopwatch.GetTimestamp();
                for (int turn = 0; turn < turns; turn++)
                {
                    for (int j = 0; j < Out; j++)
                    {
                        rented[j] = pool.Rent(size);
                    }

                    for (int j = 0; j < Out; j++)
                    {
                        pool.Return(rented[j]);
                    }
                }

                round[column] = Stopwatch.GetElapsedTime(start).TotalNanoseconds / turns / Out;
            }

            if (i >= 0)
            {
                rounds.Add(round);
            }
        }

        return rounds;
    }
}
