using System.Collections.Generic;
using System.Threading;

namespace BuildHarness.Collecting;

/// <summary>What receive loops hand to the collector's thread, in order. Never makes them wait: how much there is was granted. Any thread;
/// one takes.</summary>
internal sealed class ArrivalQueue
{
    private readonly Queue<Arrival> _waiting = new();
    private bool _over, _sleeps;

    /// <summary>Adds one; if it is over, nobody takes it any more.</summary>
    public void Add(Arrival arrival)
    {
        lock (_waiting)
        {
            if (!_over)
            {
                _waiting.Enqueue(arrival);
                Wake();
            }
        }
    }

    /// <summary>Reports that nothing more comes.</summary>
    public void End()
    {
        lock (_waiting)
        {
            _over = true;
            Wake();
        }
    }

    /// <summary>Waits for the next.</summary>
    /// <returns>It, or null: it is over, and all was taken.</returns>
    public Arrival? Take()
    {
        lock (_waiting)
        {
            while (_waiting.Count == 0)
            {
                if (_over)
                {
                    return null;
                }

                _sleeps = true;
                Monitor.Wait(_waiting);
            }

            return _waiting.Dequeue();
        }
    }

    private void Wake()
    {
        if (_sleeps)
        {
            _sleeps = false;
            Monitor.Pulse(_waiting);
        }
    }
}
