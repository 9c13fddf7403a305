using System;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Transport.Logging;

/// <summary>Logging over a link: by <c>ILogger</c>, or without one, and its lines at the main node.</summary>
public static class TransportLoggingExtensions
{
    /// <summary>Writes a worker's log events, progress and lines of output to a sink, each with the worker's name.</summary>
    /// <param name="start">What the worker is started with.</param>
    /// <param name="sink">The sink; it may have any number of workers.</param>
    /// <returns>The same options.</returns>
    /// <exception cref="ArgumentException">The router handles log events already.</exception>
    /// <exception cref="InvalidOperationException">The router is frozen: a worker was started with it.</exception>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static WorkerStartOptions LogTo(this WorkerStartOptions start, ConsoleSink sink)
    {
        if (start is null)
        {
            throw new ArgumentNullException(nameof(start));
        }

        _ = sink ?? throw new ArgumentNullException(nameof(sink));
        _ = sink.AddTo(start.Router);
        start.Output += sink.Write;
        return start;
    }

    /// <summary>Makes a logger whose events go over a link, or another sender of packets, as those of a factory with
    /// <see cref="AddTransport(ILoggingBuilder, IPacketSender, Action{TransportLoggerOptions})"/> do.</summary>
    /// <param name="sender">The link to the main node, or another sender of packets; it stays the caller's.</param>
    /// <param name="category">The category.</param>
    /// <returns>The logger; nothing is to be disposed.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static ILogger CreateLogger(this IPacketSender sender, string category)
    {
        if (sender is null)
        {
            throw new ArgumentNullException(nameof(sender));
        }

        _ = category ?? throw new ArgumentNullException(nameof(category));
        var provider = new TransportLoggerProvider(sender);
        provider.SetScopeProvider(new LoggerExternalScopeProvider());
        return provider.CreateLogger(category);
    }

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

    /// <summary>Sends one event, dated now. Never blocks.</summary>
    /// <param name="sender">The link to the main node, or another sender of packets.</param>
    /// <param name="level">Trace to Critical.</param>
    /// <param name="category">The category.</param>
    /// <param name="message">The message, formatted.</param>
    /// <param name="exception">An exception to be sent as text, or null.</param>
    /// <returns>Queued, also if the main node wants no such events (nothing is sent then); Full or Closed: the event was not
    /// taken.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="sender"/>, <paramref name="category"/> or <paramref name="message"/> is
    /// null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The level is None or unknown.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: larger than the peer takes.</exception>
    public static SendResult Log(this IPacketSender sender, LogLevel level, string category, string message, Exception? exception = null)
    {
        if (sender is null)
        {
            throw new ArgumentNullException(nameof(sender));
        }

        if (level is < LogLevel.Trace or > LogLevel.Critical)
        {
            throw new ArgumentOutOfRangeException(nameof(level), level, "The level is Trace to Critical.");
        }

        _ = category ?? throw new ArgumentNullException(nameof(category));
        _ = message ?? throw new ArgumentNullException(nameof(message));
        if ((PacketLevel)level < sender.Levels.Of(category))
        {
            return SendResult.Queued;
        }

        return sender.TrySend(LogEvent.PacketType, new LogEvent
        {
            Time = TimeProvider.System.GetUtcNow(),
            Level = level,
            Category = category,
            Message = message,
            Exception = exception is null ? null : InvariantText.Of(exception),
        });
    }

    /// <summary>Reports how far a piece of work has come, dated now. Never blocks.</summary>
    /// <param name="sender">The link to the main node, or another sender of packets.</param>
    /// <param name="id">The number of the piece of work; the caller's own.</param>
    /// <param name="done">How much is done, in any unit.</param>
    /// <param name="total">How much there is in all; null if nobody knows.</param>
    /// <param name="text">A text for people.</param>
    /// <returns>Queued; Full or Closed: the packet was not taken.</returns>
    public static SendResult Report(this IPacketSender sender, long id, long done, long? total = null, string text = "")
    {
        if (sender is null)
        {
            throw new ArgumentNullException(nameof(sender));
        }

        _ = text ?? throw new ArgumentNullException(nameof(text));
        return sender.TrySend(ProgressPacket.PacketType, new ProgressPacket
        {
            Time = TimeProvider.System.GetUtcNow(), Id = id, Done = done, Total = total, Text = text,
        });
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
