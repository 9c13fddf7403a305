using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Benchmarks;

/// <summary>What a crash tail costs a packet of 256 bytes: send queues without and with one in turns, the same thread writing and
/// taking, so that both ends are in it. Medians of a packet's nanoseconds.</summary>
internal static class TailCost
{
    private const int Packets = 1000, Rounds = 1000, Pairs = 21;

    public static void Run()
    {
        string path = Path.Combine(Path.GetTempPath(), "transport-tail-cost-"
            + Process.GetCurrentProcess().Id.ToString(CultureInfo.InvariantCulture));
        File.WriteAllBytes(path, new byte[1 << 20]);
        try
        {
            TailMap map = TailMap.TryOpen(path, out string problem) ?? throw new IOException(problem);
            SendQueue without = Queues.Make(), with = Queues.Make(map.Lane);
            var off = new List<double>();
            var on = new List<double>();
            for (int pair = -2; pair < Pairs; pair++)
            {
                (double first, double second) = (Measure(without), Measure(with));
                if (pair >= 0)
                {
                    off.Add(first);
                    on.Add(second);
                }
            }

            var extra = off.Zip(on, static (a, b) => b - a).ToList();
            Console.WriteLine(FormattableString.Invariant($"off {Median(off):0.0} ns, on {Median(on):0.0} ns, difference ")
                + FormattableString.Invariant(
                    $"{Median(extra):0.0} ns a packet ({extra.Min():0.0} to {extra.Max():0.0}; {Pairs} pairs)"));
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static double Measure(SendQueue queue)
    {
        byte[] body = new byte[256];
        (body[0], body[1]) = (0xc4, 254);
        long start = Stopwatch.GetTimestamp();
        for (int round = 0; round < Rounds; round++)
        {
            for (int i = 0; i < Packets; i++)
            {
                if (queue.TrySend(new MemoryBody(1024, body), Lane.Normal, LanePolicy.Refuse).Result != SendResult.Queued)
                {
                    throw new InvalidOperationException("no capacity");
                }
            }

            while (queue.Take() is { } segment)
            {
                queue.Written(segment, 0);
            }
        }

        return (Stopwatch.GetTimestamp() - start) * 1e9 / Stopwatch.Frequency / Packets / Rounds;
    }

    private static double Median(List<double> values) => values.OrderBy(static v => v).ElementAt(values.Count / 2);
}
