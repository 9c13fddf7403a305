using System;
using System.Threading.Tasks;
using MessagePackTypes;
using Transport;

// One program is both: started by hand it is the main node, started by a main node it is the worker.
return WorkerHost.IsWorker ? await WorkAsync() : await MainAsync();

static async Task<int> MainAsync()
{
    await using var main = MainNode.Start();
    var start = WorkerStartOptions.ForThisProgram();
    start.Router.On(Packets.Result, (result, _) => Console.WriteLine($"{result.Name}: {result.Passed}"));
    WorkerProcess worker = main.StartWorker(start);
    Link link = await worker.WaitForLinkAsync();
    Summary summary = await link.RequestAsync(Packets.Run, Packets.Summary, new RunTests { Assembly = "Tests.dll" });
    Console.WriteLine($"{summary.Passed} passed, {summary.Failed} failed");
    WorkerExit exit = await worker.StopAsync("done");
    return exit.IsSuccess ? 0 : 1;
}

static Task<int> WorkAsync()
{
    var router = new PacketRouter().OnRequest(Packets.Run, Packets.Summary, async (request, context) =>
    {
        foreach (string test in (string[])["Adds", "Divides", "Overflows"])
        {
            var result = new TestResult { Name = test, Passed = test != "Overflows", Properties = { ["assembly"] = request.Assembly } };
            await context.Sender.SendAsync(Packets.Result, result, cancellationToken: context.CancellationToken);
        }

        return new Summary { Passed = 2, Failed = 1 };
    });
    return WorkerHost.RunAsync(router);
}

/// <summary>The numbers of the types on the wire: what both sides share.</summary>
internal static class Packets
{
    public static readonly PacketType<TestResult> Result = MessagePackPacket.Of<TestResult>(1024);
    public static readonly PacketType<RunTests> Run = MessagePackPacket.Of<RunTests>(1025);
    public static readonly PacketType<Summary> Summary = MessagePackPacket.Of<Summary>(1026);
}
