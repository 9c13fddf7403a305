using System;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NATS.Client.Core;

namespace Transport.Nats;

/// <summary>A host's receiver: started with the host's services; a receiver that ends by itself is logged as an error, the host goes
/// on.</summary>
internal sealed class HostedReceiving : IHostedService, IAsyncDisposable
{
    private readonly INatsConnection _connection;
    private readonly NatsConnection? _own;
    private readonly string _folder;
    private readonly ReceiverOptions _options;
    private readonly ILogger _log;
    private JournalReceiver? _receiver;

    public HostedReceiving(IServiceProvider services, string folder, Action<ReceiverOptions>? configure)
    {
        _log = services.GetRequiredService<ILoggerFactory>().CreateLogger("Transport.Nats");
        _folder = folder;
        NatsSettings settings = NatsSettings.Read(services, read => configure?.Invoke(read.Receiver));
        _options = settings.Receiver;
        _options.Report = NatsSettings.Logged(_log, "Receiving", _options.Report);
        _connection = settings.Connect(services, out _own);
    }

    /// <summary>Gets the receiver.</summary>
    /// <exception cref="InvalidOperationException">The host has not started it.</exception>
    public JournalReceiver Receiver => _receiver ?? throw new InvalidOperationException("The host has not started its receiver yet.");

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _receiver = JournalReceiver.Start(_connection, _folder, _options);
        _ = NatsSettings.LogEndAsync(_log, "Receiving", _receiver.Completion);
        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (_receiver is not null)
        {
            await _receiver.DisposeAsync().ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync(CancellationToken.None).ConfigureAwait(false);
        if (_own is not null)
        {
            await _own.DisposeAsync().ConfigureAwait(false);
        }
    }
}
