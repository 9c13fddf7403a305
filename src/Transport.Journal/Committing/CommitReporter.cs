using System.Threading;

namespace Transport.Journal;

/// <summary>Reports to those who wait and to event listeners. Never under the gate: it ends in code of callers.</summary>
internal sealed class CommitReporter(AppendSourcePool sources, string directory)
{
    /// <summary>Reports to those who wait, to listeners and to readers.</summary>
    public void Report(in CommitReport report, bool hasFailed)
    {
        Wake(report.Done);
        if (report.News is { } news)
        {
            Raise(news, hasFailed);
        }

        report.Progress?.TrySetResult(true);
    }

    /// <summary>Notifies listeners, on the pool: one of them may close the journal, which waits for the journal's own thread.</summary>
    /// <remarks>If the pool gets no thread, listeners are not told; those who wait and who ask have the same exception.</remarks>
    private void Raise(JournalException news, bool hasFailed) => Threads.TryStart(() => ThreadPool.UnsafeQueueUserWorkItem(
        hasFailed
            ? _ => JournalEventSource.Log.Failed(directory, news.Fault.ToString(), news.Message)
            : _ => JournalEventSource.Log.NoCapacity(directory, news.Fault.ToString(), news.Message),
        state: null));

    /// <summary>Ends waits: threads are woken, and the code behind tasks goes to the pool.</summary>
    public void Wake(Waiter? done)
    {
        AppendSource? first = null, last = null;
        ThreadWaiter? thread = null, lastThread = null;
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
            thread.Wake(default, others);
        }

        if (first is not null)
        {
            sources.Run(first, last!);
        }
    }
}
