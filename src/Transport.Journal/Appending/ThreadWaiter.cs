using System.Threading;

namespace Transport.Journal;

/// <summary>A thread that waits in an append. Pooled: one is rented a wait.</summary>
internal sealed class ThreadWaiter : Waiter
{
    private bool _told;
    private bool _leads;
    private ThreadWaiter? _others;

    /// <summary>Waits until told; true where this thread is to commit from now on.</summary>
    public bool Wait()
    {
        ThreadWaiter? others;
        bool leads;
        lock (this)
        {
            while (!_told)
            {
                Monitor.Wait(this);
            }

            _told = false;
            leads = _leads;
            (others, _others) = (_others, null);
        }

        PassOn(others);
        return leads;
    }

    /// <summary>Wakes this thread, which wakes the others: each wake is a system call, and whoever commits has better to do.</summary>
    public void Tell(bool leads, ThreadWaiter? others = null)
    {
        lock (this)
        {
            (_told, _leads, _others) = (true, leads, others);
            Monitor.Pulse(this);
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

        TellFirst(even);
        TellFirst(odd);
    }

    private static void TellFirst(ThreadWaiter? chain)
    {
        if (chain is not null)
        {
            var others = (ThreadWaiter?)chain.Next;
            chain.Next = null;
            chain.Tell(leads: false, others);
        }
    }
}
