using System.Threading;

namespace Transport.Journal;

/// <content>Telling: who waits, and who listens. Never under the gate.</content>
internal sealed partial class AppendEngine
{
    /// <summary>Events run listeners' code: never under the gate.</summary>
    private void TellNews()
    {
        if (Volatile.Read(ref _news) is null || Interlocked.Exchange(ref _news, null) is not { } news)
        {
            return;
        }

        if (Failure is not null)
        {
            JournalEventSource.Log.Failed(_directory.Path, news.Fault.ToString(), news.Message);
        }
        else
        {
            JournalEventSource.Log.NoRoom(_directory.Path, news.Fault.ToString(), news.Message);
        }
    }

    private static Waiter? Chain(Waiter? first, Waiter? second)
    {
        if (first is null)
        {
            return second;
        }

        Waiter last = first;
        while (last.Next is { } next)
        {
            last = next;
        }

        last.Next = second;
        return first;
    }

    /// <summary>Tells who waits: all are marked first, in order, then threads are woken and tasks' code goes to the pool.</summary>
    private void Tell(Waiter? done)
    {
        AppendSource? first = null, last = null;
        ThreadWaiter? thread = null, lastThread = null;
        for (Waiter? at = done; at is not null; at = at.Next)
        {
            (at as AppendSource)?.Complete();
        }

        while (done is not null)
        {
            Waiter? next = done.Next;
            done.Next = null;
            if (done is AppendSource source)
            {
                first ??= source;
                if (last is not null)
                {
                    last.Next = source;
                }

                last = source;
            }
            else
            {
                thread ??= (ThreadWaiter)done;
                if (lastThread is not null)
                {
                    lastThread.Next = done;
                }

                lastThread = (ThreadWaiter)done;
            }

            done = next;
        }

        if (thread is not null)
        {
            var others = (ThreadWaiter?)thread.Next;
            thread.Next = null;
            thread.Tell(leads: false, others);
        }

        if (first is not null)
        {
            _sources.Run(first, last!);
        }
    }
}
