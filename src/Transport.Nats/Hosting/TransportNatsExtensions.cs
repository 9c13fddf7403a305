using System;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Transport.Hosting;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>Adds shipping and receiving of journals, remote pools and agents to a generic host. All take the application's own connection,
/// if there is one (<c>NATS.Client.Hosting</c>'s AddNats), otherwise one to <c>Transport:Nats:Url</c>.</summary>
public static class TransportNatsExtensions
{
    /// <summary>Ships a journal while the host runs. A server that is away stops neither host nor journal.</summary>
    /// <param name="services">The services.</param>
    /// <param name="journal">Finds the journal; null: the service <see cref="PacketJournal"/>.</param>
    /// <param name="configure">Sets options after the configuration section <c>Transport:Nats</c> has been read, or null.</param>
    /// <returns>The same services; <see cref="JournalShipper"/> is one of them once the host has started.</returns>
    /// <remarks>When the host stops, what was appended by then still goes to the server, as long as that takes it and the host's time to
    /// stop is not over. The rest is shipped by the next one.</remarks>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    /// <exception cref="InvalidOperationException">A shipper was added before.</exception>
    public static IServiceCollection AddTransportShipping(
        this IServiceCollection services, Func<IServiceProvider, PacketJournal>? journal = null, Action<ShipperOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.ThrowIfTwice<HostedShipping>(nameof(AddTransportShipping));
        _ = services.AddSingleton(provider => new HostedShipping(provider, journal, configure));
        _ = services.AddSingleton(provider => provider.GetRequiredService<HostedShipping>().Shipper);
        return services.AddSingleton<IHostedService>(provider => provider.GetRequiredService<HostedShipping>());
    }

    /// <summary>Receives journals while the host runs.</summary>
    /// <param name="services">The services.</param>
    /// <param name="folder">Where they are: a directory each. Made if it is not there; its parent must be.</param>
    /// <param name="configure">Sets options after the configuration section <c>Transport:Nats</c> has been read, or null.</param>
    /// <returns>The same services; <see cref="JournalReceiver"/> is one of them once the host has started.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> or <paramref name="folder"/> is null.</exception>
    /// <exception cref="InvalidOperationException">A receiver was added before.</exception>
    public static IServiceCollection AddTransportReceiving(
        this IServiceCollection services, string folder, Action<ReceiverOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(folder);
        services.ThrowIfTwice<HostedReceiving>(nameof(AddTransportReceiving));
        _ = services.AddSingleton(provider => new HostedReceiving(provider, folder, configure));
        _ = services.AddSingleton(provider => provider.GetRequiredService<HostedReceiving>().Receiver);
        return services.AddSingleton<IHostedService>(provider => provider.GetRequiredService<HostedReceiving>());
    }

    /// <summary>Gives the host's requests to the workers of other machines, by the services <see cref="RemotePool"/> and
    /// <see cref="IRequestSender"/>.</summary>
    /// <param name="services">The services.</param>
    /// <param name="configure">Sets options after the configuration section <c>Transport:Nats</c> has been read, or null.</param>
    /// <returns>The same services.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    /// <exception cref="InvalidOperationException">A remote pool was added before.</exception>
    public static IServiceCollection AddTransportRemotePool(this IServiceCollection services, Action<RemotePoolOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.ThrowIfTwice<HostedRemotePool>(nameof(AddTransportRemotePool));
        _ = services.AddSingleton(provider => new HostedRemotePool(provider, configure));
        _ = services.AddSingleton(provider => provider.GetRequiredService<HostedRemotePool>().Pool);
        services.TryAddSingleton<IRequestSender>(provider => provider.GetRequiredService<RemotePool>());
        return services;
    }

    /// <summary>Answers the requests of other machines while the host runs: by the host's <see cref="WorkerPool"/>, added before this call
    /// (AddTransportWorkerPool), or, if there is none, by the host's own handlers (AddRequestHandler).</summary>
    /// <param name="services">The services.</param>
    /// <param name="configure">Sets options after the configuration section <c>Transport:Nats</c> has been read, or null.</param>
    /// <returns>The same services; <see cref="WorkAgent"/> is one of them once the host has started.</returns>
    /// <remarks>When the host stops, what is in work is answered first, as long as the host's time to stop is not over; the rest goes to
    /// another agent.</remarks>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    /// <exception cref="InvalidOperationException">An agent was added before.</exception>
    public static IServiceCollection AddTransportAgent(this IServiceCollection services, Action<AgentOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.ThrowIfTwice<HostedAgent>(nameof(AddTransportAgent));
        _ = services.AddSingleton(provider => new HostedAgent(provider, configure));
        _ = services.AddSingleton(provider => provider.GetRequiredService<HostedAgent>().Agent);
        return services.AddSingleton<IHostedService>(provider => provider.GetRequiredService<HostedAgent>());
    }

    /// <summary>Adds a health check of the host's agent: degraded while no server can be used, with its counts as data.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="name">Its name.</param>
    /// <param name="failureStatus">The status once the agent has ended with a fault.</param>
    /// <returns>The same builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> is null.</exception>
    public static IHealthChecksBuilder AddTransportAgent(
        this IHealthChecksBuilder builder, string name = "transport-agent", HealthStatus failureStatus = HealthStatus.Unhealthy)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new HealthCheckRegistration(
            name, services => FleetHealthCheck.Of(services.GetRequiredService<WorkAgent>()), failureStatus, tags: null));
    }

    /// <summary>Adds a health check of the host's shipper: degraded while no server can be used, with positions and lag as data.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="name">Its name.</param>
    /// <param name="failureStatus">The status once the shipper has ended with a fault.</param>
    /// <returns>The same builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> is null.</exception>
    public static IHealthChecksBuilder AddTransportShipping(
        this IHealthChecksBuilder builder, string name = "transport-shipping", HealthStatus failureStatus = HealthStatus.Unhealthy)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new HealthCheckRegistration(
            name, services => FleetHealthCheck.Of(services.GetRequiredService<JournalShipper>()), failureStatus, tags: null));
    }

    /// <summary>Adds a health check of the host's receiver: degraded while no server can be used, with gaps and messages put aside as
    /// data.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="name">Its name.</param>
    /// <param name="failureStatus">The status once the receiver has ended with a fault.</param>
    /// <returns>The same builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> is null.</exception>
    public static IHealthChecksBuilder AddTransportReceiving(
        this IHealthChecksBuilder builder, string name = "transport-receiving", HealthStatus failureStatus = HealthStatus.Unhealthy)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new HealthCheckRegistration(
            name, services => FleetHealthCheck.Of(services.GetRequiredService<JournalReceiver>()), failureStatus, tags: null));
    }
}
