using System;
using System.Linq;
using System.Threading.Tasks;
using Pool;
using Transport;

// One program is both: started by hand it is the main node, started by a main node it is a worker.
return WorkerHost.IsWorker ? await WorkAsync() : await MainAsync();

static async Task<int> MainAsync()
{
    await using var main = MainNode.Start();
    var exited = new TaskCompletionSource<WorkerExit>();
    var options = new WorkerPoolOptions
    {
        Size = 2,
        MaxRestarts = 10,                            // within RestartWindow, 1 minute; then the pool gives up
        MinBackoff = TimeSpan.FromMilliseconds(10),  // how long the place of an exited worker stays empty at first
        OnConnected = async (link, token) => _ = await link.SendAsync(new Configuration("Release"), token),
        OnExited = exit => exited.TrySetResult(exit),
    };
    await using var pool = main.StartPool(WorkerStartOptions.ForThisProgram(), options);
    await pool.WaitForWorkersAsync(2);

    // Each request goes to the worker with the fewest that wait for a response.
    Compiled[] compiled = await Task.WhenAll(Enumerable.Range(1, 4).Select(i => pool.RequestAsync(new Compile($"{i}.cs"))));
    Console.WriteLine(string.Join(" ", compiled.Select(response => response.File)));
    Console.WriteLine($"{await pool.BroadcastAsync(new Configuration("Debug"))} of {pool.Status.Size} workers have heard");

    // A worker that exits is replaced. Requests that it had not answered fail; the pool never repeats them.
    pool.Workers[0].Kill("to show what happens");
    Console.WriteLine($"exited: {(await exited.Task).Cause}");
    Console.WriteLine((await pool.RequestAsync(new Compile("5.cs"))).File);
    return 0;
}

static Task<int> WorkAsync()
{
    string configuration = "none";
    var router = new PacketRouter()
        .On<Configuration>(packet => configuration = packet.Name)
        .OnRequest<Compile, Compiled>(request => new Compiled($"{configuration}/{request.File}", Environment.ProcessId));
    return WorkerHost.RunAsync(router);
}
