using System;
using System.Threading;

namespace Transport;

/// <summary>How many receive loops may read on threads of their own at once, so that hundreds of busy links do not mean hundreds of threads. The others read through the pool.</summary>
internal sealed class ThreadBudget
{
    private readonly int _most = Math.Max(8, 4 * Environment.ProcessorCount);
    private int _taken;

    /// <summary>Takes one; balanced by <see cref="Leave"/>.</summary>
    public bool TryEnter()
    {
        if (Interlocked.Increment(ref _taken) <= _most)
        {
            return true;
        }

        Leave();
        return false;
    }

    public void Leave() => Interlocked.Decrement(ref _taken);
}
