using System;
using System.Threading.Tasks;
using Farm;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Transport;
using Transport.Hosting;
using Transport.Journal;
using Transport.Nats;

// One program is all three: a worker if an agent has started it, otherwise what its first argument says. Server and names come from the
// configuration, such as Transport__Nats__Url=nats://farm:4222.
return WorkerHost.IsWorker ? await WorkAsync() : args switch
{
    ["agent", var journal] => await AgentAsync(journal),
    ["ask", .. var words] => await AskAsync(words),
    _ => Usage(),
};

static async Task<int> WorkAsync()
{
    HostApplicationBuilder builder = Host.CreateApplicationBuilder();
    builder.Logging.ClearProviders().AddTransport();   // what is logged here appears at the agent, and in its journal
    builder.Services.AddTransportWorker().AddRequestHandler<HashWord, WordHash, Hasher>();
    await builder.Build().RunAsync();
    return Environment.ExitCode;
}

static async Task<int> AgentAsync(string path)
{
    await using PacketJournal journal = PacketJournal.Open(path);
    HostApplicationBuilder builder = Host.CreateApplicationBuilder();
    builder.Services.AddSingleton(journal)
        .AddTransportShipping()                        // added first, so that it stops last
        .AddTransportMainNode()
        .AddTransportWorkerPool(() => Worker(journal))
        .AddTransportAgent();
    await builder.Build().RunAsync();
    return Environment.ExitCode;
}

static WorkerStartOptions Worker(PacketJournal journal)
{
    WorkerStartOptions worker = WorkerStartOptions.ForThisProgram();
    worker.Router.UseStore(new JournalPacketStore(journal));   // what workers send is kept first, then handled, and shipped meanwhile
    return worker;
}

static async Task<int> AskAsync(string[] words)
{
    HostApplicationBuilder builder = Host.CreateApplicationBuilder();
    builder.Logging.SetMinimumLevel(LogLevel.Warning);   // its output is the answers
    builder.Services.AddTransportRemotePool();
    using IHost host = builder.Build();
    IRequestSender workers = host.Services.GetRequiredService<IRequestSender>();
    WordHash[] all = await Task.WhenAll(Array.ConvertAll(words, word => workers.RequestAsync(new HashWord(word), TimeSpan.FromMinutes(1))));
    foreach (WordHash one in all)
    {
        Console.WriteLine($"{one.Word} {one.Hash} ({one.Worker})");
    }

    return 0;
}

static int Usage()
{
    Console.Error.WriteLine("Farm agent JOURNAL | Farm ask WORD...");
    return 2;
}
