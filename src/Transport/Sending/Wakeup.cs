using System;
using System.Threading;

namespace Transport;

/// <summary>Lets one thread sleep until others wake it. A wake before the sleep ends it at once, and is used up by it.</summary>
internal sealed class Wakeup
{
    /// <summary>How often a thread looks before it sleeps: some 50 us in all. The first ten times it stays on its core, then it yields
    /// every other time, as SemaphoreSlim does.</summary>
    private const int Looks = 140;
    private const int LooksOnCore = 10;
    private const int Moment = 10;   // of Thread.SpinWait, between two looks

    private readonly ManualResetEventSlim _isSet = new(initialState: false, spinCount: 0);

    /// <summary>Wakes the thread. Any thread.</summary>
    public void Set() => _isSet.Set();

    /// <summary>Sleeps until somebody wakes this thread.</summary>
    /// <param name="atMost">How long; <see cref="Timeout.InfiniteTimeSpan"/>: without limit.</param>
    /// <param name="looksFirst">Whether a wake may come so soon that looking for it costs less than falling asleep.</param>
    /// <returns>Whether somebody did; false: the time is over.</returns>
    public bool Wait(TimeSpan atMost, bool looksFirst)
    {
        for (int i = 0; looksFirst && i < Looks && !_isSet.IsSet; i++)
        {
            if (i >= LooksOnCore && i % 2 == 0)
            {
                Thread.Yield();
            }
            else
            {
                Thread.SpinWait(Moment);
            }
        }

        bool isWoken = _isSet.Wait(atMost);
        if (isWoken)
        {
            _isSet.Reset();
        }

        return isWoken;
    }
}
