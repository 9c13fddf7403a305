using System;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The one limit that a link has set itself: it calls back when the time is over, unless it was taken back or replaced.</summary>
/// <remarks>Set and taken back by the link's running action, so by one thread at a time; the time runs out on the pool.</remarks>
internal sealed class LinkLimit(TimeProvider clock, Action passed)
{
    private readonly object _gate = new();   // around the limit in force; taken alone
    private Delay? _limit;

    /// <summary>Gets a value indicating whether a limit was set and not taken back; it may be over.</summary>
    public bool IsSet
    {
        get
        {
            lock (_gate)
            {
                return _limit is not null;
            }
        }
    }

    /// <summary>Sets the limit, in place of one that is set already.</summary>
    /// <param name="time">How long.</param>
    /// <param name="goesOn">Asked when the time is over: whether it begins anew.</param>
    public void Set(TimeSpan time, Func<bool> goesOn)
    {
        Cancel();
        _ = RunAsync(time, goesOn);
    }

    /// <summary>Takes the limit back. One that is calling at this moment goes on.</summary>
    public void Cancel()
    {
        lock (_gate)
        {
            _limit?.Dispose();
            _limit = null;
        }
    }

    private async Task RunAsync(TimeSpan time, Func<bool> goesOn)
    {
        Delay? limit = null;
        do
        {
            limit = TryReplace(limit, time);
            if (limit is null)
            {
                return;
            }

            await limit.Task.ConfigureAwait(false);
        }
        while (goesOn());
        if (IsInForce(limit))
        {
            passed();
        }
    }

    private bool IsInForce(Delay limit)
    {
        lock (_gate)
        {
            return _limit == limit;
        }
    }

    /// <returns>The new limit; null if another one is in force.</returns>
    private Delay? TryReplace(Delay? expected, TimeSpan time)
    {
        lock (_gate)
        {
            if (_limit != expected)
            {
                return null;
            }

            expected?.Dispose();
            return _limit = new Delay(clock, time);
        }
    }
}
