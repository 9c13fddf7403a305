using System;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Transport.Logging;

namespace Transport.Hosting;

/// <summary>Sends what a worker's host logs to its main node.</summary>
public static class LoggingBuilderExtensions
{
    /// <summary>Sends what is logged over the link of <see cref="ServiceCollectionExtensions.AddTransportWorker"/>, without a link at hand.
    /// Events before the link are kept, at most 1,000 of them; how many more there were is an event of its own. What the
    /// host's lifetime says of itself (category Microsoft.Hosting.Lifetime) is sent from Warning on.</summary>
    /// <param name="builder">The builder.</param>
    /// <param name="configure">Sets the options, or null for the defaults.</param>
    /// <returns>The same builder.</returns>
    /// <exception cref="InvalidOperationException">It was added before.</exception>
    public static ILoggingBuilder AddTransport(this ILoggingBuilder builder, Action<TransportLoggerOptions>? configure = null)
    {
        _ = builder ?? throw new ArgumentNullException(nameof(builder));
        builder.Services.ThrowIfTwice<Marker>(nameof(AddTransport));
        _ = builder.Services.AddSingleton<Marker>();
        builder.Services.TryAddSingleton<PendingLogSink>();
        var options = new TransportLoggerOptions();
        configure?.Invoke(options);

        // "Application started. Press Ctrl+C to shut down." would stand in the main node's log, for each worker.
        builder.AddFilter<TransportLoggerProvider>("Microsoft.Hosting.Lifetime", LogLevel.Warning);
        return builder.AddTransportProvider(provider => new TransportLoggerProvider(provider.GetRequiredService<PendingLogSink>(),
            options));
    }

    private sealed class Marker;
}
