using System;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NATS.Client.Core;
using Transport.Hosting;

namespace Transport.Nats;

/// <summary>A host's agent: started with the host's services; an agent that ends by itself is logged as an error, the host goes
/// on.</summary>
internal sealed class HostedAgent : IHostedService, IAsyncDisposable
{
    private readonly IServiceProvider _services;
    private readonly INatsConnection _connection;
    private readonly NatsConnection? _own;
    private readonly AgentOptions _options;
    private readonly ILogger _log;
    private WorkAgent? _agent;

    public HostedAgent(IServiceProvider services, Action<AgentOptions>? configure)
    {
        _services = services;
        _log = services.GetRequiredService<ILoggerFactory>().CreateLogger("Transport.Nats");
        NatsSettings settings = NatsSettings.Read(services, read => configure?.Invoke(read.Agent));
        _options = settings.Agent;
        _options.Report = NatsSettings.Logged(_log, "Agent", _options.Report);
        _connection = settings.Connect(services, out _own);
    }

    /// <summary>Gets the agent.</summary>
    /// <exception cref="InvalidOperationException">The host has not started it.</exception>
    public WorkAgent Agent => _agent ?? throw new InvalidOperationException("The host has not started its agent yet.");

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _agent = _services.GetService<WorkerPool>() is { } pool ? WorkAgent.Start(_connection, pool, _options)
            : WorkAgent.Start(_connection, HandlerRegistration.AddAll(_services, new PacketRouter()), _options);
        _ = NatsSettings.LogEndAsync(_log, "The agent", _agent.Completion);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) =>
        _agent?.StopAsync(timeout: null, cancellationToken) ?? Task.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        await (_agent?.DisposeAsync() ?? default).ConfigureAwait(false);
        await (_own?.DisposeAsync() ?? default).ConfigureAwait(false);
    }
}
