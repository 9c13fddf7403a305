using System;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NATS.Client.Core;

namespace Transport.Nats;

/// <summary>A host's remote pool: made when it is first asked for, ended with the host's services.</summary>
internal sealed class HostedRemotePool : IAsyncDisposable
{
    private readonly NatsConnection? _own;

    public HostedRemotePool(IServiceProvider services, Action<RemotePoolOptions>? configure)
    {
        ILogger log = services.GetRequiredService<ILoggerFactory>().CreateLogger("Transport.Nats");
        NatsSettings settings = NatsSettings.Read(services, read => configure?.Invoke(read.Pool));
        settings.Pool.Report = NatsSettings.Logged(log, "Remote pool", settings.Pool.Report);
        Pool = RemotePool.Start(settings.Connect(services, out _own), settings.Pool);
    }

    /// <summary>Gets the pool.</summary>
    public RemotePool Pool { get; }

    public async ValueTask DisposeAsync()
    {
        await Pool.DisposeAsync().ConfigureAwait(false);
        if (_own is not null)
        {
            await _own.DisposeAsync().ConfigureAwait(false);
        }
    }
}
