using System;
using System.Diagnostics;
using System.Threading;
using Microsoft.Extensions.Logging;

namespace Transport.Logging;

/// <summary>Sends what a worker logs through <c>ILogger</c> to its main node.</summary>
/// <remarks>
/// Never blocks by default and never throws into the program that logs: an event that finds no capacity in the link's queue
/// (<see cref="TransportLoggerOptions.WaitWhenFull"/>), comes after the link's end or is larger than the peer takes is dropped and counted
/// here, by level. The link counts what found no capacity as well, and notifies the peer; the least level goes first
/// (<see cref="LanePolicy.Drop"/>). What is below the level that the main node wants of a category is not even formatted. Safe from any
/// thread.
/// </remarks>
[ProviderAlias("Transport")]
public sealed class TransportLoggerProvider : ILoggerProvider, ISupportExternalScope
{
    private readonly ILogSink _sink;
    private readonly Lane _errorLane;
    private readonly bool _includeScopes;
    private readonly TimeSpan _wait;
    private readonly TimeProvider _clock;
    private readonly long[] _dropped = new long[6];   // by level, raised by any thread: counts by themselves
    private IExternalScopeProvider? _scopes;          // the logger factory's, or made by who needs one first; read by all
    private PropertyCollector? _spare;                // taken out by who uses it, put back after: no two threads have the same

    /// <summary>Initializes a new instance of the <see cref="TransportLoggerProvider"/> class.</summary>
    /// <param name="sender">The link to the main node, or another sender of packets. It stays the caller's: disposing the provider does not
    /// close it.</param>
    /// <param name="options">The options, or null for the defaults.</param>
    public TransportLoggerProvider(IPacketSender sender, TransportLoggerOptions? options = null)
        : this(new LinkLogSink(sender ?? throw new ArgumentNullException(nameof(sender))), options)
    {
    }

    internal TransportLoggerProvider(ILogSink sink, TransportLoggerOptions? options)
    {
        options ??= new TransportLoggerOptions();
        _sink = sink;
        _errorLane = options.UrgentErrors ? Lane.Urgent : Lane.Normal;
        _includeScopes = options.IncludeScopes;
        _wait = options.WaitWhenFull == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : options.WaitWhenFull;
        _clock = options.TimeProvider
            ?? throw new ArgumentException(
                $"{nameof(TransportLoggerOptions.TimeProvider)} = null, allowed: a time provider", nameof(options));
    }

    /// <summary>Gets how many events were dropped because the queue was full, the link had ended or the event was too large.</summary>
    public long Dropped
    {
        get
        {
            long sum = 0;
            for (int level = 0; level < _dropped.Length; level++)
            {
                sum += Interlocked.Read(ref _dropped[level]);
            }

            return sum;
        }
    }

    /// <summary>Gets how many of the dropped events had a level.</summary>
    /// <param name="level">Trace to Critical.</param>
    /// <returns>The count; 0 for any other level.</returns>
    public long DroppedOf(LogLevel level) => level is >= LogLevel.Trace and <= LogLevel.Critical
        ? Interlocked.Read(ref _dropped[(int)level]) : 0;

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) =>
        new LinkLogger(this, categoryName ?? throw new ArgumentNullException(nameof(categoryName)));

    /// <inheritdoc/>
    public void SetScopeProvider(IExternalScopeProvider scopeProvider) => Volatile.Write(ref _scopes, scopeProvider);

    /// <summary>Does nothing: events are in the link's queue as soon as the log call has returned, and the link is the caller's.</summary>
    public void Dispose()
    {
    }

    /// <summary>Gets which events the main node wants; another object after each change.</summary>
    internal LevelRules Levels => _sink.Levels;

    internal IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => Scopes().Push(state);

    internal void Send<TState>(string category, LogLevel level, EventId eventId, string message, TState state, Exception? exception)
    {
        PropertyCollector properties = Interlocked.Exchange(ref _spare, null) ?? new PropertyCollector();
        (ActivityTraceId trace, ActivitySpanId span) = TransportTracing.CurrentIds;
        var packet = new LogEvent
        {
            Time = _clock.GetUtcNow(),
            Level = level,
            Category = category,
            EventId = eventId.Id,
            EventName = eventId.Name,
            Message = message,
            Properties = properties.Collect(state),
            Exception = exception is null ? null : InvariantText.Of(exception),
            TraceId = trace,
            SpanId = span,
            Scopes = _includeScopes ? properties.CollectScopes(Volatile.Read(ref _scopes)) : [],
        };
        Volatile.Write(ref _spare, properties);
        if (!TrySend(packet, level >= LogLevel.Error ? _errorLane : Lane.Normal))
        {
            Interlocked.Increment(ref _dropped[(int)level]);
        }
    }

    /// <summary>Counts an event that could not be made or sent as dropped, and reports why.</summary>
    internal void NoteFailure(string category, LogLevel level, Exception failure)
    {
        Interlocked.Increment(ref _dropped[(int)level]);
        LoggingEventSource.Log.LogFailed(category, failure.GetType().Name);
    }

    private bool TrySend(LogEvent packet, Lane lane)
    {
        try
        {
            return _sink.Send(packet, lane, _wait) == SendResult.Queued;
        }
        catch (TransportException)
        {
            // PacketTooLarge: the program that logs cannot know what the peer takes.
            return false;
        }
    }

    // Without a factory (a provider used by hand) nobody sets a scope provider.
    private IExternalScopeProvider Scopes() => Volatile.Read(ref _scopes)
        ?? Interlocked.CompareExchange(ref _scopes, new LoggerExternalScopeProvider(), null) ?? _scopes;
}
