using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using Transport.Diagnostics;
using Transport.Files.Trees;

namespace Transport.Files.Writing;

/// <summary>A bounded number of threads that take jobs in order. Threads start with the first work there is for them.</summary>
/// <remarks>
/// How much may wait here is bounded by the <see cref="MemoryBudget"/>, not by this queue. A job never waits for another, so any number of open files gets on with one thread.
/// A writer takes several jobs at once, of one directory, and no more than its share: half the locks, and two writers seldom meet in one directory.
/// </remarks>
/// <param name="writers">How many threads; 0: the callers' own.</param>
/// <param name="trace">Where to write down waits.</param>
/// <param name="after">Called by a writer after each batch.</param>
internal sealed class WriterPool(int writers, ChromeTrace? trace, Action<Writer> after) : IDisposable
{
    private const int StackBytes = 512 << 10;
    private const int LargestBatch = 32;
    private readonly Queue<OutputJob> _ready = new();
    private readonly List<Thread> _threads = [];
    private readonly Writer _caller = new(trace, "caller");
    private int _waiting;
    private bool _stopped;

    /// <summary>Hands a job over; without writers it is done here and now.</summary>
    public void Add(OutputJob job)
    {
        if (writers == 0)
        {
            var caller = new Writer(_caller);
            job.Run(caller);
            after(caller);
            return;
        }

        job.QueuedAt = _caller.Now;
        lock (_ready)
        {
            _ready.Enqueue(job);
            if (_waiting > 0)
            {
                Monitor.Pulse(_ready);
            }
            else if (_threads.Count < writers)
            {
                Start();
            }
        }
    }

    /// <summary>Ends the threads when they have done what is queued, and waits for that.</summary>
    public void Dispose()
    {
        Thread[] threads;
        lock (_ready)
        {
            _stopped = true;
            Monitor.PulseAll(_ready);
            threads = _threads.ToArray();
        }

        foreach (Thread thread in threads.Where(t => t != Thread.CurrentThread))
        {
            thread.Join();
        }
    }

    private void Start()
    {
        string name = "writer " + (_threads.Count + 1).ToString(CultureInfo.InvariantCulture);
        var writer = new Writer(trace, name);
        var thread = new Thread(() => Work(writer), StackBytes) { IsBackground = true, Name = "Transport.Files " + name };
        _threads.Add(thread);
        thread.Start();
    }

    private void Work(Writer writer)
    {
        var batch = new List<OutputJob>(LargestBatch);
        while (Take(batch, writer))
        {
            foreach (OutputJob job in batch)
            {
                if (writer.IsTraced)
                {
                    writer.Waited(job.QueuedAt, job.Path);
                }

                job.Run(writer);
            }

            batch.Clear();
            after(writer);
        }
    }

    private bool Take(List<OutputJob> batch, Writer writer)
    {
        int left;
        lock (_ready)
        {
            while (_ready.Count == 0)
            {
                if (_stopped)
                {
                    return false;
                }

                _waiting++;
                Monitor.Wait(_ready);
                _waiting--;
            }

            int share = Math.Min(LargestBatch, Math.Max(1, _ready.Count / writers));
            Folder folder = _ready.Peek().Parent;
            do
            {
                batch.Add(_ready.Dequeue());
            }
            while (batch.Count < share && _ready.Peek().Parent == folder);
            left = _ready.Count;
        }

        writer.Count("queued", left);
        return true;
    }
}
