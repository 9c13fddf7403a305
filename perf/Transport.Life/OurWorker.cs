using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Transport.Life;

/// <summary>Starts the worker of this library and waits for its exit report.</summary>
internal static class OurWorker
{
    /// <summary>Runs the worker to its exit report.</summary>
    /// <param name="main">The main node.</param>
    /// <param name="program">The worker's path.</param>
    /// <param name="arguments">What it does.</param>
    /// <param name="connected">Called with its process id when its first packet is here; the worker is stopped behind it. Null if nothing
    /// is measured there.</param>
    /// <returns>The lines it wrote to its standard output.</returns>
    public static async Task<IReadOnlyList<string>> RunAsync(
        MainNode main, string program, string[] arguments, Func<int, Task>? connected)
    {
        var lines = new List<string>();
        var first = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        long steps = 0;
        var start = new WorkerStartOptions(program, ["worker", .. arguments]) { Output = line => lines.Add(line.Text) };
        start.Router.On<Step>(step =>
        {
            if (++steps == 1)
            {
                _ = first.TrySetResult();
            }
        });
        WorkerProcess worker = main.StartWorker(start);
        Task<WorkerExit> ending = worker.WaitForExitAsync();
        if (connected is not null)
        {
            _ = await Task.WhenAny(first.Task, ending).ConfigureAwait(false);
            await connected(worker.ProcessId).ConfigureAwait(false);
            ending = worker.StopAsync();
        }

        WorkerExit exit = await ending.ConfigureAwait(false);
        return exit.IsSuccess && steps > 0
            ? lines
            : throw new InvalidOperationException(exit.Report);
    }
}
