using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;

namespace Transport.Hosting.Tests;

/// <summary>What a host logs.</summary>
/// <param name="Category">The category.</param>
/// <param name="Level">The level.</param>
/// <param name="Id">The event id.</param>
/// <param name="Message">The message.</param>
/// <param name="Scopes">The open scopes as text, the outermost first.</param>
/// <param name="Exception">The exception, or null.</param>
internal sealed record LogEntry(
    string Category, LogLevel Level, EventId Id, string Message, IReadOnlyList<string> Scopes, Exception? Exception);

/// <summary>A provider that keeps what it gets, with scopes.</summary>
internal sealed class LogRecorder : ILoggerProvider, ISupportExternalScope
{
    private IExternalScopeProvider _scopes = new LoggerExternalScopeProvider();

    public ConcurrentQueue<LogEntry> Entries { get; } = new();

    public event Action<LogEntry>? Added;

    public ILogger CreateLogger(string categoryName) => new Logger(this, categoryName);

    public void SetScopeProvider(IExternalScopeProvider scopeProvider) => _scopes = scopeProvider;

    public void Dispose()
    {
    }

    /// <summary>Waits for an entry, also one that is there already.</summary>
    public async Task<LogEntry> WaitForAsync(Func<LogEntry, bool> wanted)
    {
        var found = new TaskCompletionSource<LogEntry>(TaskCreationOptions.RunContinuationsAsynchronously);
        void Look(LogEntry entry)
        {
            if (wanted(entry))
            {
                _ = found.TrySetResult(entry);
            }
        }

        Added += Look;
        Entries.ToList().ForEach(Look);
        return await found.Task.WaitAsync(TimeSpan.FromSeconds(30));
    }

    private sealed class Logger(LogRecorder recorder, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => recorder._scopes.Push(state);

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            List<string> scopes = [];
            recorder._scopes.ForEachScope(
                static (scope, all) => all.Add(scope is IEnumerable<KeyValuePair<string, object?>> pairs
                    ? string.Join(",", pairs.Where(p => p.Key != "Time").Select(p => $"{p.Key}={p.Value}"))
                    : scope?.ToString() ?? string.Empty),
                scopes);
            var entry = new LogEntry(category, logLevel, eventId, formatter(state, exception), scopes, exception);
            recorder.Entries.Enqueue(entry);
            recorder.Added?.Invoke(entry);
        }
    }
}
