using System;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Primitives;
using Transport.Chaos.Soaking;
using Transport.Hosting;

namespace Transport.Chaos.Days;

/// <summary>The two hosts of a day of stops: a main node with a pool, and its workers.</summary>
internal static class DayHosts
{
    /// <param name="args">"dayhost", the folder, the seed.</param>
    public static async Task<int> RunMainAsync(string[] args)
    {
        var random = new Random(int.Parse(args[2], CultureInfo.InvariantCulture));
        using var facts = new Facts(args[1], "main");
        HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        var rules = new ReloadedRules();
        builder.Configuration.Sources.Add(rules);
        _ = builder.Logging.AddConfiguration(builder.Configuration.GetSection("Logging")).AddSimpleConsole(options => options.SingleLine = true);
        _ = builder.Services.AddTransportMainNode(options => options.StopTimeout = TimeSpan.FromSeconds(3))
            .AddTransportWorkerPool(
                () => OwnProgram.Start(["dayhostworker", args[1], args[2]]),
                options => (options.Size, options.MaxRestarts, options.MinBackoff) = (random.Next(1, 4), 1000, TimeSpan.FromMilliseconds(10)))
            .AddTransportHandlers((_, router) => router.OnRaw(Senders.Type, packet =>
            {
                (int producer, int number) = Senders.Read(packet.Body);
                facts.Note($"handled {producer} {number}");
            }));
        using IHost host = builder.Build();
        int pause = random.Next(3) == 0 ? random.Next(1, 40) : -1;
        using var over = new CancellationTokenSource();
        Task reloading = pause < 0 ? Task.CompletedTask : Task.Run(async () =>
        {
            while (!over.IsCancellationRequested)
            {
                rules.Provider.Change();
                await Task.Delay(pause, CancellationToken.None);
            }
        });
        await host.RunAsync();
        await over.CancelAsync();
        await reloading;
        facts.Note($"left");
        return 0;
    }

    /// <param name="args">"dayhostworker", the folder, the seed.</param>
    public static async Task<int> RunWorkerAsync(string[] args)
    {
        using var facts = new Facts(args[1], FormattableString.Invariant($"w-{Environment.ProcessId}"));
        facts.Note($"started");
        HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        _ = builder.Logging.AddTransport();
        _ = builder.Services.AddTransportWorker().AddHostedService(provider =>
            ActivatorUtilities.CreateInstance<Day>(provider, facts, int.Parse(args[2], CultureInfo.InvariantCulture)));
        using IHost host = builder.Build();
        await host.RunAsync();
        facts.Note($"left");
        return Environment.ExitCode;
    }

    /// <summary>Logs and sends until it is stopped.</summary>
    private sealed class Day(IWorkerLink worker, ILogger<Day> log, Facts facts, int seed) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            var random = new Random(unchecked((seed * 397) ^ Environment.ProcessId));
            Link link = await worker.WaitForLinkAsync(stoppingToken);
            Task sending = new Senders(link, facts, Environment.ProcessId, random.Next(), 1 << 10).RunAsync(random.Next(500), stoppingToken);
            for (int number = 1; number < 40 && !stoppingToken.IsCancellationRequested; number++)
            {
                log.LogInformation("day {Process} {Number}", Environment.ProcessId, number);
                facts.Note($"logged {Environment.ProcessId} {number}");
                await Task.Delay(random.Next(30), CancellationToken.None);
            }

            await sending;
            facts.Note($"stops");
        }
    }

    /// <summary>Rules of logging that are read again whenever they are told to have changed.</summary>
    private sealed class ReloadedRules : IConfigurationSource
    {
        public Rules Provider { get; } = new();

        public IConfigurationProvider Build(IConfigurationBuilder builder) => Provider;
    }

    private sealed class Rules : ConfigurationProvider
    {
        private int _turns;

        public void Change()
        {
            Set("Logging:LogLevel:Other", (Interlocked.Increment(ref _turns) % 2) == 0 ? "Debug" : "Warning");
            OnReload();
        }
    }
}
