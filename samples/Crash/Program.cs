using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using Crash;
using Transport;

return WorkerHost.IsWorker ? await WorkAsync() : await MainAsync();

static async Task<int> MainAsync()
{
    await using var main = MainNode.Start();
    int handled = 0;
    var start = WorkerStartOptions.ForThisProgram();
    start.Router.On<Compiled>(_ => Interlocked.Increment(ref handled));
    WorkerProcess worker = main.StartWorker(start);
    worker.CurrentActivity = "project App";   // what the exit report says it was doing

    // Completes once the process has exited, its output is read and all that it had queued is handled.
    WorkerExit exit = await worker.WaitForExitAsync();
    Console.WriteLine(exit.Report);
    Console.WriteLine();
    Console.WriteLine($"cause: {exit.Cause}; signal {exit.Process.Signal}; activity: {exit.CurrentActivity}");
    Console.WriteLine($"handled {handled} of 1000, lost {exit.PacketsLost}");
    return handled == 1000 && exit.PacketsLost == 0 ? 0 : 1;
}

static Task<int> WorkAsync() => WorkerHost.RunAsync(link =>
{
    for (int i = 1; i <= 1000; i++)
    {
        if (link.TrySend(new Compiled($"File{i}.cs")) != SendResult.Queued)
        {
            return 1;
        }
    }

    Console.Error.WriteLine("out of luck");
    Process.GetCurrentProcess().Kill();   // as kill -9 or the kernel's out-of-memory killer: nothing of this process runs any more
    return 0;
});
