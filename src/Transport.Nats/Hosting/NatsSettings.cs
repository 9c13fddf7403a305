using System;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NATS.Client.Core;
using Transport.Hosting;

namespace Transport.Nats;

/// <summary>What a host's configuration says of its server, shipper, receiver, remote pool and agent (section
/// <c>Transport:Nats</c>).</summary>
internal sealed class NatsSettings
{
    private static readonly HostOptionsReader<NatsSettings> Keys = new HostOptionsReader<NatsSettings>("Transport:Nats")
        .Text("Url", "nats://HOST:PORT, tls://HOST:PORT", static (settings, value) => settings.Url = value)
        .Text("CredentialsFile", "a file", static (settings, value) => settings.CredentialsFile = value)
        .Text("Stream", "a name", static (settings, value) =>
            settings.Shipper.Stream.Name = settings.Receiver.Stream.Name = value)
        .Text("WorkStream", "a name", static (settings, value) => settings.Pool.Stream.Name = settings.Agent.Stream.Name = value)
        .Flag("Create", static (settings, value) => settings.Shipper.Stream.Create = settings.Receiver.Stream.Create =
            settings.Pool.Stream.Create = settings.Agent.Stream.Create = value)
        .Text("Machine", "a name", static (settings, value) => settings.Shipper.Machine = settings.Agent.Name = value)
        .Name<ShippedBy>("ShippedBy", "Receiver or Server", static (settings, value) => settings.Shipper.ShippedBy = value)
        .Flag("Compacts", static (settings, value) => settings.Shipper.Compacts = value)
        .Flag("Compresses", static (settings, value) => settings.Shipper.Compresses = value)
        .Integer("WindowBytes", "65536 to 268435456", static (settings, value) => settings.Shipper.WindowBytes = value)
        .Text("Name", "a name", static (settings, value) => settings.Receiver.Name = value)
        .Time("GapPatience", "00:00:00.1 to 01:00:00", static (settings, value) => settings.Receiver.GapPatience = value)
        .Text("Pool", "a name", static (settings, value) => settings.Pool.Pool = settings.Agent.Pool = value)
        .Integer("MaxTries", "1 to 100", static (settings, value) => settings.Pool.MaxTries = value)
        .Integer("Slots", "1 to 1024", static (settings, value) => settings.Agent.Slots = value)
        .Time("AckWait", "00:00:01 to 01:00:00", static (settings, value) => settings.Agent.AckWait = value)
        .Time("CallerPatience", "00:00:01 to 01:00:00", static (settings, value) => settings.Agent.CallerPatience = value);

    private static readonly TimeSpan PingInterval = TimeSpan.FromSeconds(10);

    private string Url { get; set; } = NatsOpts.Default.Url;

    private string? CredentialsFile { get; set; }

    /// <summary>Gets the options of a shipper.</summary>
    public ShipperOptions Shipper { get; } = new();

    /// <summary>Gets the options of a receiver.</summary>
    public ReceiverOptions Receiver { get; } = new();

    /// <summary>Gets the options of a remote pool.</summary>
    public RemotePoolOptions Pool { get; } = new();

    /// <summary>Gets the options of an agent.</summary>
    public AgentOptions Agent { get; } = new();

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
            _ = read.Pool.Checked();
            _ = read.Agent.Checked();
        });
        return settings;
    }

    /// <summary>Makes what takes lines for people: they are logged, and given to the application's own.</summary>
    public static Action<string> Logged(ILogger log, string what, Action<string>? own) => line =>
    {
        log.LogWarning("{What}: {Line}", what, line);
        own?.Invoke(line);
    };

    /// <summary>Logs an end by a fault as an error; the host goes on.</summary>
    public static async Task LogEndAsync(ILogger log, string what, Task completion)
    {
        await completion.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (completion.Exception?.InnerException is { } failure)
        {
            log.LogError(failure, "{What} has ended: {Reason}", what, failure.Message);
        }
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
            PingInterval = PingInterval,   // a cut is noticed in twice that, not in four minutes
            AuthOpts = CredentialsFile is null ? NatsAuthOpts.Default : new NatsAuthOpts { CredsFile = CredentialsFile },
            LoggerFactory = services.GetRequiredService<ILoggerFactory>(),
        }));
    }
}
