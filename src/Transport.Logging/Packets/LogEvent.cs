using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Transport.Logging;

/// <summary>One log event: packet type 256 of PROTOCOL.md. Immutable once made.</summary>
public sealed class LogEvent : IPacket<LogEvent>
{
    /// <summary>Gets type 256, a log event; normal lane. Numbers, shapes and lanes of log packets never change; fields are only ever added
    /// at the end.</summary>
    public static PacketType<LogEvent> PacketType { get; } =
        new(256, "LogEvent", new LogEventFormatter(), Lane.Normal, static e => (PacketLevel)e.Level, usesTables: true, validatesBody: true);

    PacketType<LogEvent> IPacket<LogEvent>.PacketType => PacketType;

    private readonly LogLevel _level;

    /// <summary>Gets when it happened. Travels as UTC with a resolution of 100 ns; the offset is not kept.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>Gets the level, Trace to Critical.</summary>
    /// <exception cref="ArgumentOutOfRangeException">On setting: None or an unknown level. None means "send nothing" and is no level of an
    /// event.</exception>
    public required LogLevel Level
    {
        get => _level;
        init => _level = value is >= LogLevel.Trace and <= LogLevel.Critical
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "The level of an event is Trace to Critical.");
    }

    /// <summary>Gets the category, often the name of the class that logs.</summary>
    public required string Category { get; init; }

    /// <summary>Gets the message, formatted.</summary>
    public required string Message { get; init; }

    /// <summary>Gets the number that the program gave this kind of event; 0 if it gave none.</summary>
    public int EventId { get; init; }

    /// <summary>
    /// Gets the name that the program gave this kind of event (<c>EventId.Name</c>); null if it gave none. An empty name does not travel.
    /// </summary>
    public string? EventName { get; init; }

    /// <summary>Gets where the event belongs (numbers that sender and receiver agree on, for example project and task), or null. Not
    /// copied: leave the array alone.</summary>
    public int[]? Context { get; init; }

    /// <summary>Gets the properties in the order in which they were written; empty if there are none.</summary>
    public IReadOnlyList<LogProperty> Properties { get; init; } = [];

    /// <summary>Gets the exception as text, or null.</summary>
    public string? Exception { get; init; }

    /// <summary>Gets the scopes that were open, the outermost first; empty if there were none.</summary>
    public IReadOnlyList<LogScope> Scopes { get; init; } = [];

    /// <summary>Gets the trace in which it happened (<see cref="Activity.TraceId"/>); default if in none.</summary>
    public ActivityTraceId TraceId { get; init; }

    /// <summary>Gets the span of the trace in which it happened; default if in none.</summary>
    public ActivitySpanId SpanId { get; init; }

    /// <summary>Logs the event here, as if this process had: with its category, level, event id, properties, scopes and
    /// exception.</summary>
    /// <param name="loggers">The factory whose providers get it; its rules by category and level hold.</param>
    /// <param name="node">The worker's name, which becomes the property <c>Node</c> of an outermost scope, or null.</param>
    /// <remarks>Loggers have no parameter for the time and the trace: that scope also has the properties <c>Time</c>, when the event
    /// happened, and <c>TraceId</c> and <c>SpanId</c> if it happened in a trace. What a terminal obeys is escaped in the texts of event,
    /// scopes and exception (<see cref="TerminalText"/>): they are another process's, and the console's logger writes them as they are.
    /// Values of properties are as they came. A factory keeps each category for ever: who logs for workers that are not trusted limits
    /// their number, as the host of a main node does. Safe from any thread; what a provider throws comes out as it is.</remarks>
    /// <exception cref="ArgumentNullException"><paramref name="loggers"/> is null.</exception>
    public void WriteTo(ILoggerFactory loggers, string? node = null)
    {
        _ = loggers ?? throw new ArgumentNullException(nameof(loggers));
        WriteTo(loggers.CreateLogger(TerminalText.Line(Category)), node);
    }

    /// <summary>Logs the event here, as <see cref="WriteTo(ILoggerFactory, string?)"/>, by a logger of the caller's choice.</summary>
    internal void WriteTo(ILogger logger, string? node)
    {
        if (!logger.IsEnabled(Level))
        {
            return;
        }

        var opened = new Stack<IDisposable?>(Scopes.Count + 1);
        try
        {
            opened.Push(logger.BeginScope(new RemoteState(node, OriginOf(node))));
            foreach (LogScope scope in Scopes)
            {
                opened.Push(scope is { Text: { } text, Properties: null or { Count: 0 } }
                    ? logger.BeginScope(Shown(text))
                    : logger.BeginScope(new RemoteState(scope.Text is null ? null : Shown(scope.Text), scope.Properties ?? [])));
            }

            logger.Log(
                Level,
                new EventId(EventId, EventName),
                new RemoteState(Shown(Message), Properties),
                Exception is null ? null : new RemoteException(Shown(Exception)),
                static (state, _) => state.ToString());
        }
        finally
        {
            while (opened.Count > 0)
            {
                opened.Pop()?.Dispose();
            }
        }
    }

    /// <inheritdoc/>
    public override string ToString() => $"{Level} {Category}: {Message}";

    /// <summary>Makes a text fit for a terminal, its lines kept; mostly it is, and stays the same object.</summary>
    private static string Shown(string text)
    {
        if (ReferenceEquals(TerminalText.Escape(text), text))
        {
            return text;
        }

        string shown = string.Join("\n", TerminalText.Lines(text));
        return shown == text ? text : shown;
    }

    private List<LogProperty> OriginOf(string? node)
    {
        List<LogProperty> origin = node is null ? [] : [new LogProperty("Node", node)];
        origin.Add(new LogProperty("Time", Time.ToString("O", CultureInfo.InvariantCulture)));
        if (TraceId != default)
        {
            origin.Add(new LogProperty("TraceId", TraceId.ToHexString()));
            origin.Add(new LogProperty("SpanId", SpanId.ToHexString()));
        }

        return origin;
    }
}
