using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Calls;
using Transport;

// One program is both: started by hand it is the main node, started by a main node it is the worker.
return WorkerHost.IsWorker ? await WorkAsync() : await MainAsync();

static async Task<int> MainAsync()
{
    await using var main = MainNode.Start();
    var artifacts = new Artifacts();
    var start = WorkerStartOptions.ForThisProgram();
    start.Router.OnArtifacts(artifacts);
    WorkerProcess worker = main.StartWorker(start);
    Link link = await worker.WaitForLinkAsync();

    // A stream: the worker is never far ahead of this loop, and stops when it is left.
    await foreach (FoundFile file in link.RequestStreamAsync(new FilesBelow("src")))
    {
        Console.WriteLine($"found {file.Path}");
        if (file.Path == "src/3.cs")
        {
            break;
        }
    }

    // Progress before the response. A report that cannot be sent in time is replaced by the next; the last always arrives.
    Compiled compiled = await link.RequestAsync(new Compile("app"), new ShareLine());
    Console.WriteLine($"compiled {compiled.Assembly}");

    WorkerExit exit = await worker.StopAsync("done");
    await foreach (string name in artifacts.NamesAsync("app"))
    {
        Console.WriteLine($"stored {name}");
    }

    return exit.IsSuccess ? 0 : 1;
}

static Task<int> WorkAsync()
{
    var router = new PacketRouter()
        .OnRequestStream<FilesBelow, FoundFile>((request, context) => FindAsync(request.Folder, context.CancellationToken))
        .OnRequest<Compile, Compiled, Share>(CompileAsync);
    return WorkerHost.RunAsync(async (link, _) =>
    {
        // The main node's object, called like one of this process.
        IArtifacts artifacts = new ArtifactsClient(link);
        await artifacts.StoreAsync("app.dll", [1, 2, 3]);
        await artifacts.StoreAsync("app.pdb", [4]);
        int count = await artifacts.CountAsync();
        await WorkerHost.WaitForStopAsync(link);
        return count == 2 ? 0 : 1;
    }, router);
}

// Without end. The token is cancelled when nobody reads any more.
static async IAsyncEnumerable<FoundFile> FindAsync(string folder, [EnumeratorCancellation] CancellationToken token)
{
    for (int i = 1; ; i++)
    {
        await Task.Delay(1, token);
        yield return new FoundFile($"{folder}/{i}.cs");
    }
}

static async Task<Compiled> CompileAsync(Compile request, IProgress<Share> progress, PacketContext context)
{
    for (int i = 1; i <= 3; i++)
    {
        await Task.Delay(1, context.CancellationToken);
        progress.Report(new Share(i, 3));
    }

    return new Compiled($"{request.Project}.dll");
}

internal sealed class ShareLine : IProgress<Share>
{
    public void Report(Share value) => Console.WriteLine($"{value.Done} of {value.Of}");
}
