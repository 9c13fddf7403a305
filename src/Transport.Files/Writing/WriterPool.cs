using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using Transport.Diagnostics;

namespace Transport.Files.Writing;

/// <summary>A bounded number of threads that take jobs in order. Threads start with the first work there is for them.</summary>
/// <remarks>How much may wait here is bounded by the <see cref="MemoryBudget"/>, not by this queue. A job never waits for another, so any number of open files gets on with one thread.</remarks>
internal sealed class WriterPool(int writers, ChromeTrace? trace) : IDisposable
{
    private const int StackBytes = 256 << 10;
    private readonly Queue<OutputJob> _ready = new();
    private readonly List<Thread> _threads = [];
    private readonly WriterTrace _caller = new(trace, "caller");
    private int _waiting;
    private bool _stopped;

    /// <summary>Hands a job over; without writers it is done here and now.</summary>
    public void Add(OutputJob job)
    {
        if (writers == 0)
        {
            job.Run(_caller);
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
            else if (_threads.Count < writers && _ready.Count > _threads.Count)
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
        var writer = new WriterTrace(trace, name);
        var thread = new Thread(() => Work(writer), StackBytes) { IsBackground = true, Name = "Transport.Files " + name };
        _threads.Add(thread);
        thread.Start();
    }

    private void Work(WriterTrace writer)
    {
        while (Take(writer) is { } job)
        {
            job.Run(writer);
        }
    }

    private OutputJob? Take(WriterTrace writer)
    {
        OutputJob job;
        int left;
        lock (_ready)
        {
            while (_ready.Count == 0)
            {
                if (_stopped)
                {
                    return null;
                }

                _waiting++;
                Monitor.Wait(_ready);
                _waiting--;
            }

            job = _ready.Dequeue();
            left = _ready.Count;
        }

        if (writer.IsOn)
        {
            writer.Waited(job.QueuedAt, job.Path);
            writer.Count("queued", left);
        }

        return job;
    }
}
