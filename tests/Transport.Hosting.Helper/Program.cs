using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Trace;
using Transport.Hosting.Helper;

namespace Transport.Hosting.Helper;

/// <summary>A worker that is a host. Its argument says what it does: <c>log</c>, <c>debug</c>, <c>stay</c>, <c>hang</c>, <c>throw</c>; <c>settings</c> says whose settings it reads; <c>main</c> is a
/// main node's host with two workers that stay.</summary>
internal static class Program
{
    private static async Task Main(string[] args)
    {
        if (args[0].StartsWith("settings", StringComparison.Ordinal))
        {
            // Both ways of writing a host, as docs/guide/hosting.md has them.
            using IHost reader = args[0] == "settings-default"
                ? Host.CreateDefaultBuilder(args[1..]).UseContentRoot(AppContext.BaseDirectory).Build()
                : Host.CreateApplicationBuilder(
                    new HostApplicationBuilderSettings { Args = args[1..], ContentRootPath = AppContext.BaseDirectory }).Build();
            Console.WriteLine("settings of " + reader.Services.GetRequiredService<IConfiguration>()["Of"]);
            return;
        }

        if (args[0] == "main")
        {
            HostApplicationBuilder main = Host.CreateApplicationBuilder();
            _ = main.Services.AddTransportMainNode().AddPacketHandler<Note, Printer>().AddHostedService<Starter>();
            using IHost mainHost = main.Build();
            await mainHost.RunAsync().ConfigureAwait(false);
            return;
        }

        using TracerProvider? tracing = Environment.GetEnvironmentVariable("HELPER_COLLECTOR") is not { } collector ? null
            : Sdk.CreateTracerProviderBuilder().AddSource("Transport").AddOtlpExporter(options =>
            {
                options.Endpoint = new Uri(collector);
                options.Protocol = OtlpExportProtocol.HttpProtobuf;
                options.ExportProcessorType = ExportProcessorType.Simple;
            }).Build();
        HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { Args = args[1..] });
        _ = builder.Logging.SetMinimumLevel(LogLevel.Information).AddTransport();
        _ = builder.Services.AddTransportWorker(options => options.ShutdownTimeout = TimeSpan.FromSeconds(1))
            .AddRequestHandler<Add, Sum, Adder>()
            .AddHostedService(provider => ActivatorUtilities.CreateInstance<Work>(provider, args[0]));
        using IHost host = builder.Build();
        host.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Helper").LogInformation("before the link");
        await host.RunAsync().ConfigureAwait(false);
    }
}

/// <summary>Starts two workers that stay.</summary>
internal sealed class Starter(MainNode main) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        for (int i = 0; i < 2; i++)
        {
            _ = main.StartWorker(WorkerStartOptions.ForThisProgram("stay"));
        }

        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        Console.WriteLine("main node's service stops");
        return Task.CompletedTask;
    }
}

/// <summary>Prints what workers note.</summary>
internal sealed class Printer : IPacketHandler<Note>
{
    public Task HandleAsync(Note packet, PacketContext context)
    {
        Console.WriteLine($"{context.Node}: {packet.Text}");
        return Task.CompletedTask;
    }
}

/// <summary>Answers <see cref="Add"/>; never, if a number is negative.</summary>
internal sealed class Adder : IRequestHandler<Add, Sum>
{
    public async Task<Sum> HandleAsync(Add request, PacketContext context)
    {
        if (request.Left < 0)
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None).ConfigureAwait(false);
        }

        return new Sum(request.Left + request.Right);
    }
}

/// <summary>Does what the argument says, and notes when it stops.</summary>
internal sealed class Work(
    string what, IWorkerLink worker, ILogger<Work> log, ILoggerFactory loggers, IHostApplicationLifetime lifetime,
    IConfiguration configuration) : BackgroundService
{
    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        Console.WriteLine($"secret [{configuration["TRANSPORT_SECRET"]}]");
        Console.WriteLine("stopping");
        if (what == "hang")
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None).ConfigureAwait(false);
        }

        if (worker.WaitForLinkAsync(CancellationToken.None).Status == TaskStatus.RanToCompletion)
        {
            _ = await worker.Link.SendAsync(new Note("stopped in order"), CancellationToken.None).ConfigureAwait(false);
        }

        await base.StopAsync(cancellationToken).ConfigureAwait(false);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        _ = await worker.Link.SendAsync(new Note("working"), stoppingToken).ConfigureAwait(false);
        switch (what)
        {
            case "throw":
                await Task.Yield();
                throw new InvalidOperationException("no disk");
            case "log":
                using (log.BeginScope("Build {Id}", 5))
                using (log.BeginScope(new Dictionary<string, object> { ["Target"] = "Compile" }))
                {
                    log.LogWarning(new EventId(7, "Slow"), new InvalidOperationException("broken"), "Compiled {File} in {Ms} ms", "a.cs",
                        40);
                }

                lifetime.StopApplication();
                break;
            case "debug":
                ILogger other = loggers.CreateLogger("Other");
                while (!stoppingToken.IsCancellationRequested)
                {
                    log.LogDebug("debug");
                    if (other.IsEnabled(LogLevel.Debug))
                    {
                        _ = await worker.Link.SendAsync(new Note("other is enabled"), CancellationToken.None).ConfigureAwait(false);
                    }

                    await Task.Delay(10, CancellationToken.None).ConfigureAwait(false);
                }

                break;
        }
    }
}
