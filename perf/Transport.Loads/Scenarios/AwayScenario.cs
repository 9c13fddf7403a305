using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NATS.Client.Core;
using Transport.Journal;
using Transport.Loads.Farm;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scratch;
using Transport.Nats;

namespace Transport.Loads.Scenarios;

/// <summary>20,000 packets a second into a journal that is shipped, while its server is away for a minute: what the one who appends, and
/// the memory of the process, notice of it, and that all of it arrives.</summary>
internal sealed class AwayScenario : IScenario
{
    private const int PerSecond = 20_000;
    private const string There = "there";

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(3);

    public string Name => "away";

    public string Summary => "20,000 packets a second into a journal whose server is away for a minute";

    public IEnumerable<Row> Run(RunOptions options)
    {
        if (FarmServer.Missing is { } why)
        {
            return [Row.Missing(options, Name, "CPU of the process, a second", "ms", why, There, Target.AtMost(1.03))];
        }

        return RunAsync(options).GetAwaiter().GetResult();
    }

    private async Task<IReadOnlyList<Row>> RunAsync(RunOptions options)
    {
        using var folder = new ScratchFolder("away");
        using var server = new FarmServer(folder.Location);
        await using NatsConnection sends = server.Connect(), takes = server.Connect();
        string source = Path.Combine(folder.Location, "source");
        await using PacketJournal journal = PacketJournal.Open(source);
        await using var shipper = JournalShipper.Start(sends, journal, new ShipperOptions { Stream = { Create = true } });
        await using var receiver = JournalReceiver.Start(
            takes, Path.Combine(folder.Location, "received"), new ReceiverOptions { Stream = { Create = true } });
        var time = TimeSpan.FromSeconds(options.Quick ? 2 : 60);
        var writer = new Writer(journal);
        await writer.RunAsync(time / 4).ConfigureAwait(false);   // warm
        Sample there = await writer.RunAsync(time / 2).ConfigureAwait(false);
        long before = Resident();
        server.Kill();
        Sample away = await writer.RunAsync(time).ConfigureAwait(false);
        long grown = Resident() - before, waiting = shipper.Status.WaitingBytes;
        server.Start();
        var clock = Stopwatch.StartNew();
        while ((receiver.Status.Journals.FirstOrDefault()?.Position ?? 0) < journal.Appended)
        {
            await Task.Delay(10).ConfigureAwait(false);
            if (clock.Elapsed > s_limit)
            {
                throw new LoadException(string.Create(
                    CultureInfo.InvariantCulture, $"Not all was received after {s_limit}: {shipper.Status} {receiver.Status.Problem}"));
            }
        }

        Row Make(string metric, string unit, double value, double? beside, Target? target)
        {
            var round = new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = value };
            if (beside is { } other)
            {
                round[There] = other;
            }

            return Row.Make(options, Name, metric, unit, [round], beside is null ? null : There, target);
        }

        return
        [
            Make("packets taken, of those at their time", "%", 100.0 * away.Taken / away.Due, 100.0 * there.Taken / there.Due, null),
            Make("Append, p99", "us", away.P99, there.P99, null),
            Make("CPU of the process, a second", "ms", away.Cpu, there.Cpu, Target.AtMost(1.03)),
            Make("memory gained while it is away", "MB", grown / 1e6, null, Target.ValueAtMost(16, 64)),
            Make("bytes that wait then", "MB", waiting / 1e6, null, null),
            Make("until all of it is received", "s", clock.Elapsed.TotalSeconds, null, null),
        ];
    }

    private static long Resident()
    {
        GC.Collect();
        using var self = Process.GetCurrentProcess();
        return self.WorkingSet64;
    }

    private sealed record Sample(long Due, long Taken, double P99, double Cpu);

    /// <summary>Appends at the rate, and never waits.</summary>
    private sealed class Writer(PacketJournal journal)
    {
        private readonly JournalNode _node = new("n1");
        private readonly byte[] _body = new byte[256];

        public async Task<Sample> RunAsync(TimeSpan time)
        {
            List<double> took = [];
            long due = 0, taken = 0;
            TimeSpan cpu = Environment.CpuUsage.TotalTime;
            var clock = Stopwatch.StartNew();
            while (clock.Elapsed < time)
            {
                for (; due < clock.Elapsed.TotalSeconds * PerSecond; due++)
                {
                    long start = Stopwatch.GetTimestamp();
                    taken += journal.TryAppend(_node, 1024, _body, out _) == SendResult.Queued ? 1 : 0;
                    took.Add(Stopwatch.GetElapsedTime(start).TotalMicroseconds);
                }

                await Task.Delay(1).ConfigureAwait(false);
            }

            double used = (Environment.CpuUsage.TotalTime - cpu).TotalMilliseconds / clock.Elapsed.TotalSeconds;
            took.Sort();
            return new Sample(due, taken, took[took.Count * 99 / 100], used);
        }
    }
}
