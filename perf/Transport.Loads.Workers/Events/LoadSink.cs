using System;
using System.Threading;

namespace Transport.Loads.Events;

/// <summary>Counts what comes, keeps the first fault, and says when all that was expected has come. Fed by one thread at a time.</summary>
internal abstract class LoadSink : IDisposable
{
    private readonly SemaphoreSlim _all = new(0);
    private long _count;
    private long _until = long.MaxValue;
    private string? _fault;

    /// <summary>Gets or sets what is done with each packet besides, for receivers that are to be slow.</summary>
    public Action? Each { get; set; }

    /// <summary>Gets or sets what is done when the last expected packet has come.</summary>
    public Action? AllCame { get; set; }

    /// <summary>Gets how many packets have come.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>Reports how many more packets will come.</summary>
    public void Expect(int count) => Volatile.Write(ref _until, _count + count);

    /// <summary>Ends the wait: the receiver cannot go on.</summary>
    public void Fail(string fault)
    {
        if (_fault is null)
        {
            _fault = fault;
            _all.Release();
        }
    }

    /// <summary>Reports what was wrong so far, for loads that do not wait for a number of packets.</summary>
    /// <exception cref="LoadException">A packet was wrong.</exception>
    public void ThrowIfFailed()
    {
        if (_fault is not null)
        {
            throw new LoadException(_fault);
        }
    }

    /// <summary>Waits for all that were expected.</summary>
    /// <exception cref="LoadException">One was wrong, or they did not come in time.</exception>
    public void WaitForAll(TimeSpan limit)
    {
        bool came = _all.Wait(limit);
        if (_fault is not null || !came)
        {
            throw new LoadException(_fault ?? $"After {limit.TotalSeconds:f0} s {Count} packets had come in all; expected {_until}.");
        }
    }

    public void Dispose() => _all.Dispose();

    /// <summary>Counts one more.</summary>
    protected void Came()
    {
        Each?.Invoke();
        Volatile.Write(ref _count, _count + 1);
        if (_count == Volatile.Read(ref _until))
        {
            AllCame?.Invoke();
            _all.Release();
        }
    }
}
