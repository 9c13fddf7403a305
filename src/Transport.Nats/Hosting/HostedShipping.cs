using System;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NATS.Client.Core;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>A host's shipper: started with the host's services. When the host stops, what was appended by then still goes to the server, if
/// that takes it and the host's time to stop is not over.</summary>
internal sealed class HostedShipping : IHostedService, IAsyncDisposable
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(10);

    private readonly INatsConnection _connection;
    private readonly NatsConnection? _own;
    private readonly PacketJournal _journal;
    private readonly ShipperOptions _options;
    private JournalShipper? _shipper;

    public HostedShipping(IServiceProvider services, Func<IServiceProvider, PacketJournal>? journal, Action<ShipperOptions>? configure)
    {
        ILogger log = services.GetRequiredService<ILoggerFactory>().CreateLogger("Transport.Nats");
        NatsSettings settings = NatsSettings.Read(services, read => configure?.Invoke(read.Shipper));
        _options = settings.Shipper;
        _options.Report = NatsSettings.Logged(log, "Shipping", _options.Report);
        _journal = journal is null ? services.GetRequiredService<PacketJournal>() : journal(services);
        _connection = settings.Connect(services, out _own);
    }

    /// <summary>Gets the shipper.</summary>
    /// <exception cref="InvalidOperationException">The host has not started it.</exception>
    public JournalShipper Shipper => _shipper ?? throw new InvalidOperationException("The host has not started its shipper yet.");

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _shipper = JournalShipper.Start(_connection, _journal, _options);
        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (_shipper is not { } shipper)
        {
            return;
        }

        long last = _journal.Appended;
        while (shipper.Status is { Problem: null } status && status.Published < last && !shipper.Completion.IsCompleted
            && !cancellationToken.IsCancellationRequested)
        {
            await Task.Delay(Look, CancellationToken.None).ConfigureAwait(false);
        }

        await shipper.DisposeAsync().ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        if (_shipper is not null)
        {
            await _shipper.DisposeAsync().ConfigureAwait(false);
        }

        if (_own is not null)
        {
            await _own.DisposeAsync().ConfigureAwait(false);
        }
    }
}
