using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Chaos.Packets;

namespace Transport.Chaos.Soaking;

/// <summary>A main node and its workers, of which each lives, is disturbed and ends, again and again.</summary>
internal sealed class Soak(ChaosOptions options)
{
    public static readonly TimeSpan PingInterval = TimeSpan.FromSeconds(1);
    public static readonly TimeSpan SilenceTimeout = TimeSpan.FromSeconds(20);
    public static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(20);

    /// <summary>How long the last processes get once nothing new begins.</summary>
    private static readonly TimeSpan Ending = TimeSpan.FromSeconds(45);

    private readonly Tally _tally = new();

    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync()
    {
        Console.WriteLine(FormattableString.Invariant(
            $"chaos: {options.Workers} workers, {options.Minutes} min, {options.Wire}, seed {options.Seed}"));
        var report = new Report(options, _tally);
        TimeSpan time = TimeSpan.FromMinutes(options.Minutes);
        using var watchdog = new Watchdog(time + Ending, hang =>
        {
            _tally.Break(hang);
            report.Write();
            WorkerHost.Exit(1);
        });
        DirectoryInfo folder = Directory.CreateTempSubdirectory("transport-chaos-");

        // Tails beside the books: a file has a second name on its own file system only.
        Environment.SetEnvironmentVariable("TRANSPORT_DIR", folder.FullName);
        using var clock = new ClockWatch();
        int descriptors = Native.Descriptors();
        try
        {
            await RunAsync(watchdog, folder.FullName, time);
        }
        catch (TimeoutException hang)
        {
            _tally.Break(hang.Message);
        }
        finally
        {
            folder.Delete(recursive: true);
        }

        report.Descriptors = Native.Descriptors() - descriptors;
        report.WorstLateMs = clock.WorstMs;
        return report.Write();
    }

    private async Task RunAsync(Watchdog watchdog, string folder, TimeSpan time)
    {
        var link = new LinkOptions
        {
            MaxQueuedBytes = 1 << 20, Heartbeat = { PingInterval = PingInterval, SilenceTimeout = SilenceTimeout },
                CloseTimeout = CloseTimeout,
        };
        MainNode main = MainNode.Start(new MainNodeOptions { Wire = options.Wire == "pipe" ? WireKind.NamedPipe : WireKind.UnixSocket,
            Link = link, BrokenLinkGrace = TimeSpan.FromSeconds(4) });
        try
        {
            using var stop = new CancellationTokenSource(time);
            var payloads = new Payloads(options.Seed);
            var garbage = new GarbageClients(main.Endpoint, _tally, watchdog, options.Seed);
            await Task.WhenAll(Enumerable.Range(0, options.Workers)
                .Select(worker => LiveAsync(main, watchdog, payloads, folder, worker, stop)).Append(garbage.RunAsync(stop.Token)));
        }
        finally
        {
            await watchdog.Within(EndAsync(main), "the main node's end");
        }

        async Task<bool> EndAsync(MainNode node)
        {
            await node.DisposeAsync();
            return true;
        }
    }

    /// <summary>One worker, in one process after the other.</summary>
    private async Task LiveAsync(
        MainNode main, Watchdog watchdog, Payloads payloads, string folder, int worker, CancellationTokenSource stop)
    {
        try
        {
            for (int number = 1; !stop.IsCancellationRequested; number++)
            {
                int seed = unchecked((((options.Seed * 397) + worker) * 397) + number);
                await Task.Run(() => new Incarnation(main, _tally, watchdog, payloads, folder, worker, number, seed).RunAsync(),
                    CancellationToken.None);
            }
        }
        catch (Exception e)
        {
            // The first that fails ends the run: what comes later would report less.
            _tally.Break($"worker {worker}: {e.GetType().Name}: {e.Message}");
            await stop.CancelAsync();
        }
    }
}
