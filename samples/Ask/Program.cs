using System;
using System.Threading.Tasks;
using Ask;
using Transport;

// One program is both: started by hand it is the main node, started by a main node it is the worker.
return WorkerHost.IsWorker ? await WorkAsync() : await MainAsync();

static async Task<int> MainAsync()
{
    await using var main = MainNode.Start();

    var start = WorkerStartOptions.ForThisProgram("any", "arguments");
    start.OwnProcessGroup = true;
    start.Output = line => Console.WriteLine($"output: {line.Text}");

    // What the worker may send and ask. Handlers of one worker run one after the other, on the thread that reads its link.
    start.Router
        .On<Step>(step => Console.WriteLine($"step: {step.Name}"))
        .OnRequest<WhereIs, Location>(asked => new Location($"/cache/{asked.Name}"));
    WorkerProcess worker = main.StartWorker(start);

    // The main node asks too. The link is there once the worker has connected; if it exits first, this throws.
    Link link = await worker.WaitForLinkAsync();
    Sum sum = await link.RequestAsync(new Add(20, 22), timeout: TimeSpan.FromSeconds(5));
    Console.WriteLine($"sum: {sum.Value}");

    WorkerExit exit = await worker.StopAsync("done");
    Console.WriteLine($"exit code {exit.Process.ExitCode}, {exit.Link!.Receipt.Received} packets, all of them handled: {exit.AllPacketsHandled}");
    return exit.IsSuccess ? 0 : 1;
}

static Task<int> WorkAsync()
{
    var router = new PacketRouter().OnRequest<Add, Sum>(add => new Sum(add.Left + add.Right));
    return WorkerHost.RunAsync(async (link, _) =>
    {
        // A send returns at once: Queued, Full or Closed. SendAsync waits while the queue is full.
        if (link.TrySend(new Step("looking")) != SendResult.Queued)
        {
            return 1;
        }

        Location location = await link.RequestAsync(new WhereIs("a.dll"));
        if (await link.SendAsync(new Step($"found {location.Path}")) != SendResult.Queued)
        {
            return 1;
        }

        // The link closes when this ends: a worker that takes requests stays until its main node stops it.
        await WorkerHost.WaitForStopAsync(link);
        return 0;
    }, router);
}
