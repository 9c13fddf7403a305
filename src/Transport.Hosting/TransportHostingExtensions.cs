using System;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Transport.Journal;
using Transport.Logging;

namespace Transport.Hosting;

/// <summary>Adds main nodes, workers, handlers, logging and health checks to a host.</summary>
public static class TransportHostingExtensions
{
    // What a router asks of its packets: their generated property PacketType.
    private const DynamicallyAccessedMemberTypes Properties = DynamicallyAccessedMemberTypes.PublicProperties;

    /// <summary>Makes the host a main node, the service <see cref="MainNode"/>. What it starts has the host's handlers beside those of
    /// its own router; its log events, output lines and exit go to the host's logging; a Ctrl+C at the terminal does not reach it
    /// (<see cref="ProcessStartOptions.OwnProcessGroup"/>): workers are stopped after the host's other services.</summary>
    /// <param name="services">The services.</param>
    /// <param name="configure">Sets options after the configuration section <c>Transport:MainNode</c> has been read, or null.</param>
    /// <returns>The same services.</returns>
    /// <exception cref="InvalidOperationException">A main node was added before.</exception>
    public static IServiceCollection AddTransportMainNode(this IServiceCollection services, Action<MainNodeOptions>? configure = null)
    {
        _ = services ?? throw new ArgumentNullException(nameof(services));
        services.ThrowIfTwice<HostedMainNode>(nameof(AddTransportMainNode));
        services.TryAddSingleton<DiagnosticsLogger>();
        _ = services.AddSingleton(provider => new HostedMainNode(provider, provider.GetService<IConfiguration>(), configure));
        _ = services.AddSingleton(provider => provider.GetRequiredService<HostedMainNode>().Main);
        _ = services.AddSingleton<IHostedService>(provider => provider.GetRequiredService<HostedMainNode>());
        return services;
    }

    /// <summary>Adds a pool of workers of the host's main node, as the services <see cref="WorkerPool"/>, <see cref="IRequestSender"/> and
    /// <see cref="IStreamRequestSender"/>: started with the host's services, in their order, and stopped before the main node. That it gives
    /// up is logged.</summary>
    /// <param name="services">The services.</param>
    /// <param name="start">Makes what the workers are started with, such as <c>() => WorkerStartOptions.ForProject("Worker")</c>; called
    /// when the pool is made.</param>
    /// <param name="configure">Sets options after the configuration section <c>Transport:WorkerPool</c> has been read, or null.</param>
    /// <returns>The same services.</returns>
    /// <exception cref="InvalidOperationException">A pool was added before. Make further ones by
    /// <see cref="MainNode.StartPool"/>.</exception>
    public static IServiceCollection AddTransportWorkerPool(
        this IServiceCollection services, Func<WorkerStartOptions> start, Action<WorkerPoolOptions>? configure = null)
    {
        _ = services ?? throw new ArgumentNullException(nameof(services));
        _ = start ?? throw new ArgumentNullException(nameof(start));
        services.ThrowIfTwice<HostedWorkerPool>(nameof(AddTransportWorkerPool));
        _ = services.AddSingleton(
            provider => new HostedWorkerPool(provider, provider.GetService<IConfiguration>(), start, configure));
        _ = services.AddSingleton(provider => provider.GetRequiredService<HostedWorkerPool>().Pool);
        services.TryAddSingleton<IRequestSender>(provider => provider.GetRequiredService<WorkerPool>());
        services.TryAddSingleton<IStreamRequestSender>(provider => provider.GetRequiredService<WorkerPool>());
        return services.AddSingleton<IHostedService>(provider => provider.GetRequiredService<HostedWorkerPool>());
    }

    /// <summary>Makes the host a worker: it connects before its other services start, stops if the main node asks for that or is gone, and
    /// closes the link after its other services have stopped.</summary>
    /// <param name="services">The services.</param>
    /// <param name="configure">Sets options after the configuration section <c>Transport:Worker</c> has been read, or null.</param>
    /// <returns>The same services.</returns>
    /// <remarks>If no main node has started the process, the host logs that and stops, and the exit code is
    /// <see cref="WorkerHost.NotAWorkerExitCode"/>. If the main node has not handled every packet, it is
    /// <see cref="WorkerHost.MainNodeGoneExitCode"/>.</remarks>
    /// <exception cref="InvalidOperationException">A worker was added before.</exception>
    public static IServiceCollection AddTransportWorker(this IServiceCollection services, Action<WorkerHostOptions>? configure = null)
    {
        _ = services ?? throw new ArgumentNullException(nameof(services));
        services.ThrowIfTwice<HostedWorker>(nameof(AddTransportWorker));
        services.TryAddSingleton<PendingLogSink>();
        services.TryAddSingleton<DiagnosticsLogger>();
        _ = services.AddSingleton(provider => new HostedWorker(provider, provider.GetService<IConfiguration>(), configure));
        _ = services.AddSingleton<IWorkerLink>(provider => provider.GetRequiredService<HostedWorker>());
        _ = services.AddSingleton<IHostedService>(provider => provider.GetRequiredService<HostedWorker>());
        return services;
    }

    /// <summary>Adds a handler that the container makes, to the router of every link of the host.</summary>
    /// <typeparam name="TPacket">The packet.</typeparam>
    /// <typeparam name="THandler">The handler.</typeparam>
    /// <param name="services">The services.</param>
    /// <param name="lifetime">Singleton by default: one handler, whose calls for several workers may overlap. Scoped or Transient: one for
    /// each packet, in a scope that ends with it.</param>
    /// <returns>The same services.</returns>
    public static IServiceCollection AddPacketHandler<
        [DynamicallyAccessedMembers(Properties)] TPacket,
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        this IServiceCollection services, ServiceLifetime lifetime = ServiceLifetime.Singleton)
        where TPacket : IPacket<TPacket>
        where THandler : class, IPacketHandler<TPacket>
    {
        _ = services ?? throw new ArgumentNullException(nameof(services));
        services.TryAdd(ServiceDescriptor.Describe(typeof(THandler), typeof(THandler), lifetime));
        return services.AddSingleton(new HandlerRegistration((provider, router) =>
        {
            if (lifetime == ServiceLifetime.Singleton)
            {
                THandler handler = provider.GetRequiredService<THandler>();
                _ = router.On<TPacket>(handler.HandleAsync);
                return;
            }

            _ = router.On<TPacket>(async (packet, context) =>
            {
                AsyncServiceScope scope = provider.CreateAsyncScope();
                await using (((IAsyncDisposable)scope).ConfigureAwait(false))
                {
                    await scope.ServiceProvider.GetRequiredService<THandler>()
                        .HandleAsync(packet, context).ConfigureAwait(false);
                }
            });
        }));
    }

    /// <summary>Adds a handler of requests that the container makes, to the router of every link of the host.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <typeparam name="THandler">The handler.</typeparam>
    /// <param name="services">The services.</param>
    /// <param name="lifetime">Singleton by default. Scoped or Transient: one for each request, in a scope that ends with it.</param>
    /// <returns>The same services.</returns>
    public static IServiceCollection AddRequestHandler<
        [DynamicallyAccessedMembers(Properties)] TRequest,
        [DynamicallyAccessedMembers(Properties)] TResponse,
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        this IServiceCollection services, ServiceLifetime lifetime = ServiceLifetime.Singleton)
        where TRequest : IPacket<TRequest>, IRequest<TResponse>
        where TResponse : IPacket<TResponse>
        where THandler : class, IRequestHandler<TRequest, TResponse>
    {
        _ = services ?? throw new ArgumentNullException(nameof(services));
        services.TryAdd(ServiceDescriptor.Describe(typeof(THandler), typeof(THandler), lifetime));
        return services.AddSingleton(new HandlerRegistration((provider, router) =>
        {
            if (lifetime == ServiceLifetime.Singleton)
            {
                THandler handler = provider.GetRequiredService<THandler>();
                _ = router.OnRequest<TRequest, TResponse>(handler.HandleAsync);
                return;
            }

            _ = router.OnRequest<TRequest, TResponse>(async (request, context) =>
            {
                AsyncServiceScope scope = provider.CreateAsyncScope();
                await using (((IAsyncDisposable)scope).ConfigureAwait(false))
                {
                    return await scope.ServiceProvider.GetRequiredService<THandler>()
                        .HandleAsync(request, context).ConfigureAwait(false);
                }
            });
        }));
    }

    /// <summary>Adds handlers to the router of every link of the host: a typed service, a stream, a packet taken as bytes.</summary>
    /// <param name="services">The services.</param>
    /// <param name="addTo">Adds them, once for each link; <c>(provider, router) => router.OnArtifacts(provider.GetRequiredService&lt;
    /// IArtifacts&gt;())</c> for one.</param>
    /// <returns>The same services.</returns>
    public static IServiceCollection AddTransportHandlers(this IServiceCollection services, Action<IServiceProvider, PacketRouter> addTo)
    {
        _ = services ?? throw new ArgumentNullException(nameof(services));
        return services.AddSingleton(new HandlerRegistration(addTo ?? throw new ArgumentNullException(nameof(addTo))));
    }

    /// <summary>Sends what is logged over the link of <see cref="AddTransportWorker"/>, without a link at hand.
    /// Events before the link are kept, at most 1,000 of them; how many more there were is an event of its own. What the
    /// host's lifetime says of itself (category Microsoft.Hosting.Lifetime) is sent from Warning on.</summary>
    /// <param name="builder">The builder.</param>
    /// <param name="configure">Sets the options, or null for the defaults.</param>
    /// <returns>The same builder.</returns>
    /// <exception cref="InvalidOperationException">It was added before.</exception>
    public static ILoggingBuilder AddTransport(this ILoggingBuilder builder, Action<TransportLoggerOptions>? configure = null)
    {
        _ = builder ?? throw new ArgumentNullException(nameof(builder));
        builder.Services.ThrowIfTwice<LoggingMarker>(nameof(AddTransport));
        _ = builder.Services.AddSingleton<LoggingMarker>();
        builder.Services.TryAddSingleton<PendingLogSink>();
        var options = new TransportLoggerOptions();
        configure?.Invoke(options);

        // "Application started. Press Ctrl+C to shut down." would stand in the main node's log, for each worker.
        builder.AddFilter<TransportLoggerProvider>("Microsoft.Hosting.Lifetime", LogLevel.Warning);
        return builder.AddTransportProvider(provider => new TransportLoggerProvider(provider.GetRequiredService<PendingLogSink>(),
            options));
    }

    /// <summary>Checks what the host has of Transport: the link of a worker (open), a main node (how many workers run), and a pool
    /// (degraded if workers are missing; failed if none is connected, or it has given up).</summary>
    /// <param name="builder">The builder.</param>
    /// <param name="name">The check's name.</param>
    /// <param name="failureStatus">What a failure is reported as.</param>
    /// <returns>The same builder.</returns>
    public static IHealthChecksBuilder AddTransport(
        this IHealthChecksBuilder builder, string name = "transport", HealthStatus failureStatus = HealthStatus.Unhealthy)
    {
        _ = builder ?? throw new ArgumentNullException(nameof(builder));
        return builder.Add(new HealthCheckRegistration(
            name, services => new TransportHealthCheck(services, failureStatus), failureStatus, tags: null));
    }

    /// <summary>Checks a journal: failed once it takes nothing any more.</summary>
    /// <param name="builder">The builder.</param>
    /// <param name="journal">Finds the journal; null: the service <see cref="PacketJournal"/>.</param>
    /// <param name="name">The check's name.</param>
    /// <param name="failureStatus">What a failure is reported as.</param>
    /// <returns>The same builder.</returns>
    public static IHealthChecksBuilder AddTransportJournal(
        this IHealthChecksBuilder builder,
        Func<IServiceProvider, PacketJournal>? journal = null,
        string name = "transport-journal",
        HealthStatus failureStatus = HealthStatus.Unhealthy)
    {
        _ = builder ?? throw new ArgumentNullException(nameof(builder));
        return builder.Add(new HealthCheckRegistration(
            name,
            services => new JournalHealthCheck(journal is null ? services.GetRequiredService<PacketJournal>() : journal(services)),
            failureStatus,
            tags: null));
    }

    /// <summary>Refuses a second call of a method that adds this service.</summary>
    internal static void ThrowIfTwice<T>(this IServiceCollection services, string call)
    {
        if (services.Any(service => service.ServiceType == typeof(T)))
        {
            throw new InvalidOperationException($"{call} was called twice: a host has one of them. Remove one call.");
        }
    }

    private sealed class LoggingMarker;
}
