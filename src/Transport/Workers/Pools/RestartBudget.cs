using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>Counts restarts within a window of time. For one thread at a time.</summary>
internal sealed class RestartBudget(int most, TimeSpan window, TimeProvider clock)
{
    private readonly Queue<long> _taken = new();

    /// <summary>Takes a restart.</summary>
    /// <returns>False if there were too many within the window.</returns>
    public bool TryTake()
    {
        long now = clock.GetTimestamp();
        while (_taken.Count > 0 && clock.GetElapsedTime(_taken.Peek(), now) > window)
        {
            _ = _taken.Dequeue();
        }

        if (_taken.Count >= most)
        {
            return false;
        }

        _taken.Enqueue(now);
        return true;
    }
}
