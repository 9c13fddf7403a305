using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading.Tasks;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;
using Transport.Loads.Farm;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scratch;

namespace Transport.Loads.Scenarios;

/// <summary>Packets of 256 B from a journal over a server to another journal's disk, beside one packet a message of JetStream. CPU is
/// that of this process: both ends, and who appends; the server's own is not counted.</summary>
internal sealed class ShipScenario : IScenario
{
    private const string Message = "a message", Plain = "plain";
    private const int Outstanding = 256;

    public string Name => "ship";

    public string Summary => "a journal shipped over NATS JetStream, beside one packet a message; from Append to the receiver's disk";

    public IEnumerable<Row> Run(RunOptions options)
    {
        if (FarmServer.Missing is { } why)
        {
            return [Row.Missing(options, Name, "packets", "1/s", why, Message, Target.AtLeast(20))];
        }

        return RunAsync(options).GetAwaiter().GetResult();
    }

    private async Task<IReadOnlyList<Row>> RunAsync(RunOptions options)
    {
        using var folder = new ScratchFolder("farm");
        using var server = new FarmServer(folder.Location);
        var pair = new ShippedPair(server, folder.Location, "blocks", compresses: true);
        await using (pair.ConfigureAwait(false))
        {
            var plain = new ShippedPair(server, folder.Location, "plain", compresses: false);
            await using (plain.ConfigureAwait(false))
            {
                NatsConnection connection = server.Connect();
                await using (connection.ConfigureAwait(false))
                {
                    return await RunAsync(options, pair, plain, connection).ConfigureAwait(false);
                }
            }
        }
    }

    private async Task<IReadOnlyList<Row>> RunAsync(RunOptions options, ShippedPair pair, ShippedPair plain, NatsConnection connection)
    {
        var jetStream = new NatsJSContext(connection);
        await jetStream.CreateStreamAsync(new StreamConfig("MESSAGES", ["messages"]) { MaxBytes = 1 << 30 }).ConfigureAwait(false);
        int packets = options.Quick ? 20_000 : 300_000, messages = options.Quick ? 500 : 5_000;
        var columns = new Dictionary<string, Func<Task<Sample>>>(StringComparer.Ordinal)
        {
            [Column.Transport] = () => MeasureAsync(packets, () => pair.RunAsync(packets)),
            [Plain] = () => MeasureAsync(packets, () => plain.RunAsync(packets)),
            [Message] = () => MeasureAsync(messages, () => PublishAsync(jetStream, messages)),
        };
        List<Dictionary<string, Sample>> rounds = [];
        for (int i = options.Quick ? 0 : -6; i < options.Rounds; i++)
        {
            var round = new Dictionary<string, Sample>(StringComparer.Ordinal);
            foreach (string column in Turns.Rotated(columns.Keys, Math.Max(0, i)))
            {
                round[column] = await columns[column]().ConfigureAwait(false);
            }

            if (i >= 0)
            {
                rounds.Add(round);
            }
        }

        List<IReadOnlyDictionary<string, double>> waits = [];
        for (int i = 0; i < options.Rounds; i++)
        {
            double[] took = await pair.TrickleAsync(10_000, TimeSpan.FromSeconds(options.Quick ? 0.5 : 3)).ConfigureAwait(false);
            waits.Add(new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = took[took.Length * 99 / 100] });
        }

        List<IReadOnlyDictionary<string, double>> Ours(Func<Sample, double> value) => rounds
            .ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal)
            {
                [Column.Transport] = value(r[Column.Transport]),
            });
        return
        [
            Row.Make(options, Name, "256 B packets, to the receiver's disk", "1/s", Row.Pick(rounds, s => s.Rate), Message,
                Target.AtLeast(20)),
            Row.Make(options, Name, "256 B packets", "1/s", Ours(s => s.Rate), target: Target.ValueAtLeast(250_000, 25_000)),
            Row.Make(options, Name, "CPU of a packet, both ends", "us", Row.Pick(rounds, s => s.Cpu), Message),
            Row.Make(options, Name, "CPU of a packet", "us", Ours(s => s.Cpu), target: Target.ValueAtMost(2, 20)),
            Row.Make(options, Name, "Append to the receiver's disk at 10,000/s, p99", "ms", waits, target: Target.ValueAtMost(150, 1_500)),
        ];
    }

    private static async Task<Sample> MeasureAsync(int packets, Func<Task> run)
    {
        long start = Stopwatch.GetTimestamp();
        TimeSpan cpu = Environment.CpuUsage.TotalTime;
        await run().ConfigureAwait(false);
        return new Sample(
            packets / Stopwatch.GetElapsedTime(start).TotalSeconds, (Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds / packets);
    }

    private static async Task PublishAsync(NatsJSContext jetStream, int messages)
    {
        byte[] body = new byte[256];
        var open = new Queue<Task>();
        for (int i = 0; i < messages; i++)
        {
            open.Enqueue(jetStream.PublishAsync("messages", (ReadOnlyMemory<byte>)body).AsTask());
            if (open.Count == Outstanding)
            {
                await open.Dequeue().ConfigureAwait(false);
            }
        }

        await Task.WhenAll(open).ConfigureAwait(false);
    }

    private sealed record Sample(double Rate, double Cpu);
}
