using System.Threading;

namespace Transport.Journal;

/// <summary>A thread that waits in an append. Pooled: one is rented a wait.</summary>
internal sealed class ThreadWaiter : Waiter
{
    private readonly object _lock = new();
    private bool _isWoken;
    private bool _leads;
    private ThreadWaiter? _others;

    /// <summary>Waits until woken, also if the thread is interrupted meanwhile: it would leave its place in line, or the lead, to nobody.
    /// The interrupt is then there again for the thread's next wait.</summary>
    /// <returns>Whether this thread leads from now on.</returns>
    public bool Wait()
    {
        ThreadWaiter? others;
        bool leads, isInterrupted = false;
        lock (_lock)
        {
            while (!_isWoken)
            {
                try
                {
                    Monitor.Wait(_lock);
                }
                catch (ThreadInterruptedException)
                {
                    isInterrupted = true;
                }
            }

            _isWoken = false;
            leads = _leads;
            (others, _others) = (_others, null);
        }

        PassOn(others);
        if (isInterrupted)
        {
            Thread.CurrentThread.Interrupt();
        }

        return leads;
    }

    /// <summary>Wakes this thread, which wakes the others: each wake is a system call, and whoever commits has better to do.</summary>
    public void Wake(bool leads, ThreadWaiter? others = null)
    {
        lock (_lock)
        {
            (_isWoken, _leads, _others) = (true, leads, others);
            Monitor.Pulse(_lock);
        }
    }

    /// <summary>Wakes the first two of a chain, each with half of the rest.</summary>
    private static void PassOn(ThreadWaiter? chain)
    {
        ThreadWaiter? even = null, odd = null;
        for (int i = 0; chain is not null; i++)
        {
            var next = (ThreadWaiter?)chain.Next;
            if ((i & 1) == 0)
            {
                (chain.Next, even) = (even, chain);
            }
            else
            {
                (chain.Next, odd) = (odd, chain);
            }

            chain = next;
        }

        WakeFirst(even);
        WakeFirst(odd);
    }

    private static void WakeFirst(ThreadWaiter? chain)
    {
        if (chain is not null)
        {
            var others = (ThreadWaiter?)chain.Next;
            chain.Next = null;
            chain.Wake(leads: false, others);
        }
    }
}
