using System.Threading;

namespace Transport.Journal;

/// <summary>A thread that waits in an append. Pooled: one is rented a wait.</summary>
internal sealed class ThreadWaiter : Waiter
{
    private readonly object _lock = new();
    private bool _isWoken;
    private CommitLead _lead;
    private ThreadWaiter? _others;

    /// <summary>Waits until woken, also if the thread is interrupted meanwhile: it would leave its place in line, or the lead, to nobody.
    /// The interrupt is then there again for the thread's next wait.</summary>
    /// <returns>The lead, if it was passed on to this thread.</returns>
    public CommitLead Wait()
    {
        ThreadWaiter? others;
        CommitLead lead;
        bool isInterrupted = false;
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
            (lead, _lead) = (_lead, default);
            (others, _others) = (_others, null);
        }

        PassOn(others);
        if (isInterrupted)
        {
            Thread.CurrentThread.Interrupt();
        }

        return lead;
    }

    /// <summary>Wakes this thread, which wakes the others: each wake is a system call, and the leader has better to do.</summary>
    /// <param name="lead">The lead, if this thread is to commit; otherwise the default value.</param>
    /// <param name="others">The others.</param>
    public void Wake(CommitLead lead, ThreadWaiter? others = null)
    {
        lock (_lock)
        {
            (_isWoken, _lead, _others) = (true, lead, others);
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
            chain.Wake(default, others);
        }
    }
}
