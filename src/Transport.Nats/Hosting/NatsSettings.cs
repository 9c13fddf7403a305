using System;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NATS.Client.Core;
using Transport.Hosting;

namespace Transport.Nats;

/// <summary>What a host's configuration says of its server, shipper and receiver (section <c>Transport:Nats</c>).</summary>
internal sealed class NatsSettings
{
    private static readonly HostOptionsReader<NatsSettings> Keys = new HostOptionsReader<NatsSettings>("Transport:Nats")
        .Text("Url", "nats://HOST:PORT, tls://HOST:PORT", static (settings, value) => settings.Url = value)
        .Text("CredentialsFile", "a file", static (settings, value) => settings.CredentialsFile = value)
        .Text("Stream", "a name", static (settings, value) =>
            settings.Shipper.Stream.Name = settings.Receiver.Stream.Name = value)
        .Flag("Create", static (settings, value) => settings.Shipper.Stream.Create = settings.Receiver.Stream.Create = value)
        .Text("Machine", "a name", static (settings, value) => settings.Shipper.Machine = value)
        .Name<ShippedBy>("ShippedBy", "Receiver or Server", static (settings, value) => settings.Shipper.ShippedBy = value)
        .Flag("Compacts", static (settings, value) => settings.Shipper.Compacts = value)
        .Flag("Compresses", static (settings, value) => settings.Shipper.Compresses = value)
        .Integer("WindowBytes", "65536 to 268435456", static (settings, value) => settings.Shipper.WindowBytes = value)
        .Text("Name", "a name", static (settings, value) => settings.Receiver.Name = value)
        .Time("GapPatience", "00:00:00.1 to 01:00:00", static (settings, value) => settings.Receiver.GapPatience = value);

    private string Url { get; set; } = NatsOpts.Default.Url;

    private string? CredentialsFile { get; set; }

    /// <summary>Gets the options of a shipper.</summary>
    public ShipperOptions Shipper { get; } = new();

    /// <summary>Gets the options of a receiver.</summary>
    public ReceiverOptions Receiver { get; } = new();

    /// <summary>Reads the section; then the application's own code sets what it wants.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.BadConfiguration"/>: the message names every key that cannot be
    /// used.</exception>
    public static NatsSettings Read(IServiceProvider services, Action<NatsSettings> configure)
    {
        var settings = new NatsSettings();
        Keys.Read(services.GetService<IConfiguration>(), settings, read =>
        {
            configure(read);
            _ = read.Shipper.Checked();
            _ = read.Receiver.Checked();
        });
        return settings;
    }

    /// <summary>Returns the application's own connection, or makes one.</summary>
    /// <param name="services">The services.</param>
    /// <param name="own">The one that was made, for its maker to dispose of; null if the application has one.</param>
    public INatsConnection Connect(IServiceProvider services, out NatsConnection? own)
    {
        own = null;
        return services.GetService<INatsConnection>() ?? (own = new NatsConnection(new NatsOpts
        {
            Url = Url,
            Name = "transport",
            AuthOpts = CredentialsFile is null ? NatsAuthOpts.Default : new NatsAuthOpts { CredsFile = CredentialsFile },
            LoggerFactory = services.GetRequiredService<ILoggerFactory>(),
        }));
    }
}
