using System;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Transport.Links;

namespace Transport.Logging;

/// <summary>Puts the main node at the other end of a program's <c>ILogger</c>.</summary>
public static class LoggingBuilderExtensions
{
    /// <summary>Sends what is logged over a link. The main node's level decides alone: the builder's minimum level and rules for all providers do not hold for this one.</summary>
    /// <param name="builder">The builder.</param>
    /// <param name="link">The link to the main node; it stays the caller's, who closes it after the last log call.</param>
    /// <param name="configure">Sets wishes, or null for the defaults.</param>
    /// <returns>The same builder.</returns>
    /// <remarks>Rules for this provider alone, <c>builder.AddFilter&lt;TransportLoggerProvider&gt;(category, level)</c>, do hold, and cannot be lifted by the main node.</remarks>
    public static ILoggingBuilder AddTransport(this ILoggingBuilder builder, Link link, Action<TransportLoggerOptions>? configure = null)
    {
        if (builder is null)
        {
            throw new ArgumentNullException(nameof(builder));
        }

        var options = new TransportLoggerOptions();
        configure?.Invoke(options);
        return builder.AddTransport(new TransportLoggerProvider(link, options));
    }

    /// <summary>The same with a provider made by the caller, who can then read its counts.</summary>
    /// <param name="builder">The builder.</param>
    /// <param name="provider">The provider; disposed with the logger factory.</param>
    /// <returns>The same builder.</returns>
    public static ILoggingBuilder AddTransport(this ILoggingBuilder builder, TransportLoggerProvider provider)
    {
        if (builder is null)
        {
            throw new ArgumentNullException(nameof(builder));
        }

        // Without a rule of its own the factory's default, Information, would keep from the main node what it asks for.
        builder.Services.AddSingleton<ILoggerProvider>(_ => provider ?? throw new ArgumentNullException(nameof(provider)));
        return builder.AddFilter<TransportLoggerProvider>(category: null, LogLevel.Trace);
    }
}
