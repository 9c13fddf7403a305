using System;
using System.Globalization;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Transport;
using Transport.Hosting;
using Transport.Nats.Helper;

namespace Transport.Nats.Helper;

/// <summary>An agent whose workers are this program again: <c>agent URL NAME WORKERS</c>; or a caller that is killed: <c>caller
/// URL</c>.</summary>
internal static class Program
{
    private static async Task<int> Main(string[] args)
    {
        if (WorkerHost.IsWorker)
        {
            return await WorkerHost.RunAsync(Answers.Router()).ConfigureAwait(false);
        }

        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        builder.Configuration["Transport:Nats:Url"] = args[1];
        builder.Configuration["Transport:Nats:Create"] = "true";
        if (args[0] == "caller")
        {
            _ = builder.Services.AddTransportRemotePool();
            using IHost caller = builder.Build();
            await caller.StartAsync().ConfigureAwait(false);
            IRequestSender pool = caller.Services.GetRequiredService<IRequestSender>();
            Task<Squared> asked = pool.RequestAsync(new Square(1, How: "wait"));
            Console.WriteLine("asked");
            _ = await asked.ConfigureAwait(false);
            return 0;
        }

        builder.Configuration["Transport:Nats:Machine"] = args[2];
        int workers = int.Parse(args[3], CultureInfo.InvariantCulture);
        _ = builder.Services.AddTransportMainNode()
            .AddTransportWorkerPool(() => WorkerStartOptions.ForThisProgram(), pool => pool.Size = workers)
            .AddTransportAgent(agent => agent.AckWait = agent.CallerPatience = TimeSpan.FromSeconds(2));
        using IHost host = builder.Build();
        await host.RunAsync().ConfigureAwait(false);
        return 0;
    }
}
