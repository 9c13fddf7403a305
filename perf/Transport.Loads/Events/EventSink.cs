using System;
using System.Threading;

namespace Transport.Loads.Events;

/// <summary>Where every receiver gives its events: checks each one and its place in the order, and says when all have come.</summary>
internal sealed class EventSink(EventCatalog catalog) : IDisposable
{
    private readonly SemaphoreSlim _all = new(0);
    private long _next = EventCatalog.FirstId;
    private long _until = long.MaxValue;
    private string? _fault;

    /// <summary>Gets or sets what is done with each event besides, for receivers that are to be slow.</summary>
    public Action? Each { get; set; }

    /// <summary>Gets how many events have come.</summary>
    public long Count => Volatile.Read(ref _next) - EventCatalog.FirstId;

    /// <summary>Says how many more events will come.</summary>
    public void Expect(int count) => Volatile.Write(ref _until, _next + count);

    /// <summary>Takes the next event; by one thread at a time.</summary>
    public void Take(LoadEvent e)
    {
        if (!catalog.IsEvent(e, _next) && _fault is null)
        {
            Fail($"Expected event {_next}, came event {e.Id} ({(e.Id == _next ? "changed on its way" : "out of order")}).");
        }

        Volatile.Write(ref _next, _next + 1);
        Each?.Invoke();
        if (_next == Volatile.Read(ref _until))
        {
            _all.Release();
        }
    }

    /// <summary>Ends the wait: the receiver cannot go on.</summary>
    public void Fail(string fault)
    {
        _fault ??= fault;
        _all.Release();
    }

    /// <summary>Waits for all that were expected.</summary>
    /// <exception cref="LoadException">One was wrong, or they did not come in time.</exception>
    public void WaitForAll(TimeSpan limit)
    {
        bool came = _all.Wait(limit);
        if (_fault is not null || !came)
        {
            throw new LoadException(_fault ?? $"After {limit.TotalSeconds:f0} s only {Count} events had come; expected {_until - EventCatalog.FirstId}.");
        }
    }

    public void Dispose() => _all.Dispose();
}
