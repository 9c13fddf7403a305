using System;
using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using System.Globalization;
using System.Linq;
using System.Threading;
using Microsoft.Extensions.Logging;

namespace Transport.Hosting;

/// <summary>Writes what the libraries report of themselves (the event sources <c>Transport-*</c>) to the host's loggers.</summary>
/// <remarks>Safe from any thread. Logging may itself cause such an event, on the same thread: that one is left to other listeners, as are
/// those of the source <c>Transport-Logging</c>, which are about events that could not be logged.</remarks>
internal sealed class DiagnosticsLogger : EventListener
{
    private const string Sources = "Transport-";
    private const string OwnSource = "Transport-Logging";

    private readonly ConcurrentDictionary<string, ILogger> _logs = new(StringComparer.Ordinal);
    private readonly ThreadLocal<bool> _isLogging = new();
    private readonly ILoggerFactory _loggers;

    /// <summary>Initializes a new instance of the <see cref="DiagnosticsLogger"/> class.</summary>
    /// <param name="loggers">Gets the events, in the categories <c>Transport.Link</c>, <c>Transport.Journal</c> and the like.</param>
    public DiagnosticsLogger(ILoggerFactory loggers)
    {
        _loggers = loggers;
        foreach (EventSource source in EventSource.GetSources().Where(IsOurs))
        {
            EnableEvents(source, EventLevel.Informational);
        }
    }

    public override void Dispose()
    {
        base.Dispose();
        _isLogging.Dispose();
    }

    /// <summary>Called by the base's constructor too, for the sources that there are: those are enabled by ours, once the fields are
    /// set.</summary>
    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (_loggers is not null && IsOurs(eventSource))
        {
            EnableEvents(eventSource, EventLevel.Informational);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (_isLogging.Value)
        {
            return;
        }

        _isLogging.Value = true;
        try
        {
            ILogger log = _logs.GetOrAdd(eventData.EventSource.Name.Replace('-', '.'), _loggers.CreateLogger);
            log.Log(
                LevelOf(eventData.Level),
                new EventId(eventData.EventId, eventData.EventName),
                TextOf(eventData),
                exception: null,
                static (text, _) => text);
        }
        finally
        {
            _isLogging.Value = false;
        }
    }

    private static string TextOf(EventWrittenEventArgs written) => string.Format(
        CultureInfo.InvariantCulture, written.Message ?? string.Empty, [.. written.Payload ?? Enumerable.Empty<object?>()]);

    private static bool IsOurs(EventSource source) =>
        source.Name.StartsWith(Sources, StringComparison.Ordinal) && source.Name != OwnSource;

    private static LogLevel LevelOf(EventLevel level) => level switch
    {
        EventLevel.Critical => LogLevel.Critical,
        EventLevel.Error => LogLevel.Error,
        EventLevel.Warning => LogLevel.Warning,
        _ => LogLevel.Debug,   // links that open and end, workers: a host logs what people want of that itself
    };
}
