using System;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Transport.Logging;

/// <summary>Puts the main node at the other end of a program's <c>ILogger</c>.</summary>
public static class LoggingBuilderExtensions
{
    /// <summary>
    /// Sends what is logged over a link. The main node's level decides: the builder's minimum level and its default level for all
    /// providers do not hold for this one.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="sender">The link to the main node, or another sender of packets; it stays the caller's, who closes it after the last
    /// log call.</param>
    /// <param name="configure">Sets the options, or null for the defaults.</param>
    /// <returns>The same builder.</returns>
    /// <remarks>
    /// Rules for all providers that name a category do hold, such as <c>Logging:LogLevel:Microsoft</c> in a configuration. Rules for this
    /// provider alone
    /// (<c>builder.AddFilter&lt;TransportLoggerProvider&gt;(category, level)</c>, or <c>Logging:Transport:LogLevel</c>) hold instead of
    /// those, its default level among them.
    /// The main node cannot lift either.
    /// </remarks>
    public static ILoggingBuilder AddTransport(
        this ILoggingBuilder builder, IPacketSender sender, Action<TransportLoggerOptions>? configure = null)
    {
        if (builder is null)
        {
            throw new ArgumentNullException(nameof(builder));
        }

        _ = sender ?? throw new ArgumentNullException(nameof(sender));
        var options = new TransportLoggerOptions();
        configure?.Invoke(options);
        return builder.AddTransport(new TransportLoggerProvider(sender, options));
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

        _ = provider ?? throw new ArgumentNullException(nameof(provider));
        return builder.AddTransportProvider(_ => provider);
    }

    /// <summary>The same with a provider that the container makes.</summary>
    internal static ILoggingBuilder AddTransportProvider(
        this ILoggingBuilder builder, Func<IServiceProvider, TransportLoggerProvider> create)
    {
        builder.Services.AddSingleton<ILoggerProvider>(create);
        builder.Services.TryAddEnumerable(ServiceDescriptor.Singleton<IPostConfigureOptions<LoggerFilterOptions>, ProviderRules>());
        return builder;
    }
}
