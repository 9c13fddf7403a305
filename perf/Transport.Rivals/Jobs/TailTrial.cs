using System;
using System.Diagnostics;
using System.Threading.Tasks;
using Transport.Loads.Events;
using Transport.Rivals.Peers;

namespace Transport.Rivals.Jobs;

/// <summary>A worker of this library that is killed as it sends: started by a MainNode, as users start workers, so that its crash tail is
/// there.</summary>
internal static class TailTrial
{
    /// <summary>The first argument of the worker.</summary>
    public const string Switch = "--tail-worker";

    /// <summary>The worker: sends until it is killed.</summary>
    /// <param name="file">Where the count of what was taken stands.</param>
    public static int Work(string file) => WorkerHost.RunAsync(async (link, stop) =>
    {
        var catalog = new EventCatalog();
        await Bursts.SendAsync(file, async number =>
            _ = await link.SendAsync(LoadEventFormatter.Type, catalog.Make(EventCatalog.FirstId + number)).ConfigureAwait(false))
            .ConfigureAwait(false);
        return 1;
    }).GetAwaiter().GetResult();

    /// <summary>The main node: starts the worker, kills it, and waits for its exit report.</summary>
    /// <param name="bursts">What the worker counts in.</param>
    /// <returns>What arrived, and after how many ms the receiver knew of the kill.</returns>
    public static async Task<(long Arrived, double Noticed)> RunAsync(Bursts bursts)
    {
        using var sink = new PeerSink("decoded");
        MainNode main = MainNode.Start();
        await using (main.ConfigureAwait(false))
        {
            var start = new WorkerStartOptions(Environment.ProcessPath!, Switch, bursts.Path);
            start.Router.On(LoadEventFormatter.Type, (one, _) => sink.Take(one));
            WorkerProcess worker = main.StartWorker(start);
            Link link = await worker.WaitForLinkAsync().ConfigureAwait(false);
            bursts.WaitForTheMiddle();
            long killed = Stopwatch.GetTimestamp();
            using (Process process = Process.GetProcessById(worker.ProcessId))
            {
                process.Kill();
            }

            await link.Completion.ConfigureAwait(false);
            double noticed = Stopwatch.GetElapsedTime(killed).TotalMilliseconds;
            await worker.WaitForExitAsync().ConfigureAwait(false);
            return (sink.Count, noticed);
        }
    }
}
