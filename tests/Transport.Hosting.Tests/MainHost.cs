using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Transport.Hosting.Helper;
using Transport.Testing;

namespace Transport.Hosting.Tests;

/// <summary>A host that is a main node, with what it logs and what its workers note.</summary>
internal sealed class MainHost : IAsyncDisposable
{
    private readonly IHost _host;

    private MainHost(IHost host, LogRecorder log, Notes notes)
    {
        _host = host;
        Log = log;
        Notes = notes;
    }

    public static string HelperPath => Path.Combine(AppContext.BaseDirectory, "hosting-helper");

    public LogRecorder Log { get; }

    public Notes Notes { get; }

    public MainNode Main => _host.Services.GetRequiredService<MainNode>();

    public IConfigurationRoot Configuration => (IConfigurationRoot)_host.Services.GetRequiredService<IConfiguration>();

    public IServiceProvider Services => _host.Services;

    public static async Task<MainHost> StartAsync(
        IDictionary<string, string?>? configuration = null, Action<IServiceCollection>? configure = null, string? settingsFile = null)
    {
        MainHost main = Build(configuration, configure, settingsFile);
        await main.StartAsync();
        return main;
    }

    public static MainHost Build(
        IDictionary<string, string?>? configuration = null, Action<IServiceCollection>? configure = null, string? settingsFile = null)
    {
        var log = new LogRecorder();
        var notes = new Notes();
        HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        _ = builder.Configuration.AddInMemoryCollection(configuration ?? new Dictionary<string, string?>());
        if (settingsFile is not null)
        {
            _ = builder.Configuration.AddJsonFile(settingsFile, optional: false, reloadOnChange: true);
        }

        _ = builder.Logging.AddConfiguration(builder.Configuration.GetSection("Logging")).AddProvider(log);
        _ = builder.Services.AddTransportMainNode().AddSingleton(notes).AddPacketHandler<Note, Notes>();
        configure?.Invoke(builder.Services);
        return new MainHost(builder.Build(), log, notes);
    }

    public Task StartAsync() => _host.StartAsync();

    public Task StopAsync() => _host.StopAsync();

    public WorkerProcess StartWorker(string what, string? node = null) =>
        Main.StartWorker(new WorkerStartOptions(HelperPath, what).With(node: node));

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync().WaitAsync(TimeSpan.FromSeconds(30));
        await ((IAsyncDisposable)_host).DisposeAsync();
    }
}

/// <summary>The notes of all workers, and when each arrives.</summary>
internal sealed class Notes : IPacketHandler<Note>
{
    private readonly TaskCompletionSource _first = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public ConcurrentQueue<string> Texts { get; } = new();

    public Task First => _first.Task;

    public Task HandleAsync(Note packet, PacketContext context)
    {
        Texts.Enqueue($"{context.Node}: {packet.Text}");
        _ = _first.TrySetResult();
        return Task.CompletedTask;
    }
}
