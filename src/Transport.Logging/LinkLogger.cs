using System;
using System.Collections.Generic;
using System.Threading;
using Microsoft.Extensions.Logging;

namespace Transport.Logging;

/// <summary>One category of a <see cref="TransportLoggerProvider"/>.</summary>
internal sealed class LinkLogger(TransportLoggerProvider provider, string category) : ILogger
{
    private Wanted? _wanted;   // what was found out last, by any thread: looked up again once the rules are others

    public bool IsEnabled(LogLevel logLevel)
    {
        LevelRules rules = provider.Levels;
        Wanted? wanted = Volatile.Read(ref _wanted);
        if (wanted is null || !ReferenceEquals(wanted.Rules, rules))
        {
            wanted = new Wanted(rules, rules.Of(category));
            Volatile.Write(ref _wanted, wanted);
        }

        return logLevel is >= LogLevel.Trace and < LogLevel.None && (PacketLevel)logLevel >= wanted.Level;
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => provider.BeginScope(state);

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (formatter is null)
        {
            throw new ArgumentNullException(nameof(formatter));
        }

        if (!IsEnabled(logLevel))
        {
            return;
        }

        try
        {
            provider.Send(category, logLevel, eventId, Format(state, exception, formatter), state, exception);
        }
        catch (Exception failure)
        {
            // What a property, a scope, an exception's text or the link throws must not end the program that logs.
            provider.NoteFailure(category, logLevel, failure);
        }
    }

    private static string Format<TState>(TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        try
        {
            return formatter(state, exception) ?? string.Empty;
        }
        catch (Exception e)
        {
            // A wrong format string must show up in the log, with its words, and not end the program that logs.
            string failure = $"could not be formatted: {e.GetType().Name}: {e.Message}";
            return TemplateOf(state) is { Length: > 0 } template ? $"{template} ({failure})" : $"(the message {failure})";
        }
    }

    private static string? TemplateOf<TState>(TState state)
    {
        try
        {
            return state is IReadOnlyList<KeyValuePair<string, object?>> { Count: > 0 and var count } list
                && list[count - 1] is { Key: PropertyCollector.OriginalFormat, Value: string template } ? template : null;
        }
        catch (Exception)
        {
            return null;   // the caller's own list
        }
    }

    /// <summary>The level of this category by some rules.</summary>
    private sealed class Wanted(LevelRules rules, PacketLevel level)
    {
        public LevelRules Rules { get; } = rules;

        public PacketLevel Level { get; } = level;
    }
}
