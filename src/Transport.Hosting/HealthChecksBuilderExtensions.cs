using System;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Transport.Journal;

namespace Transport.Hosting;

/// <summary>Adds the health of links, workers and journals to that of a host.</summary>
public static class HealthChecksBuilderExtensions
{
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
}
