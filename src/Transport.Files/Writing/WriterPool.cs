using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Threading;

namespace Transport.Files;

/// <summary>A bounded number of threads that take jobs in order. A thread starts with the first work there is for it.</summary>
/// <remarks>
/// The <see cref="MemoryBudget"/> limits what waits here, not this queue. A job never waits for another, so one thread serves any number of
/// open files. One lock guards the queue and the threads.
/// A writer takes several jobs of one directory at once, but no more than its share. That halves the locks, and two threads that create
/// files in one directory wait for each other in the kernel.
/// If the system gives no thread (a limit of the user or the container), the existing threads do all the work; without any, callers do it.
/// An idle writer checks the queue each millisecond for a while before it sleeps: waking it for each job costs as much as half a small
/// file. A job whose caller waits wakes a writer at once.
/// </remarks>
/// <param name="writers">The number of threads; 0 for the callers' own; null for as many as pay (<see cref="WriterScale"/>).</param>
/// <param name="report">Who hears of spans, or null.</param>
/// <param name="after">Called by a writer after each batch.</param>
/// <param name="start">Starts a thread, for tests that let it fail; null for the system.</param>
internal sealed class WriterPool(int? writers, Action<FileSpan>? report, Action<Writer> after, Action<Thread>? start = null) : IDisposable
{
    private const int StackBytes = 512 << 10;
    private const int LargestBatch = 32;
    private const int WorthWaking = 8;
    private const int LookMs = 1, Looks = 20;

    /// <summary>Jobs that take as long together, 1 ms, are noted before the batch ends; on a local disk a whole batch takes less.</summary>
    private static readonly long s_long = Stopwatch.Frequency / 1000;

    private readonly object _gate = new();
    private readonly JobQueue _ready = new();
    private readonly List<Thread> _threads = [];
    private readonly List<Writer> _writers = [];
    private readonly WriterScale _scale = new(writers);
    private readonly Writer _caller = new(report, "caller");
    private Writer? _unstarted;
    private int _sleeping;
    private int _looking;
    private int _ended;   // threads that were not worth it
    private bool _stopped;

    /// <summary>Queues a job. Without writers it runs here and now.</summary>
    /// <param name="job">The job.</param>
    public void Add(OutputJob job)
    {
        if (writers == 0 || !TryQueue(job))
        {
            var caller = new Writer(_caller);
            job.Run(caller);
            after(caller);
        }
    }

    /// <summary>Ends the threads after the queued jobs, and waits for them.</summary>
    public void Dispose()
    {
        Thread[] threads;
        lock (_gate)
        {
            _stopped = true;
            Monitor.PulseAll(_gate);
            threads = _threads.ToArray();
        }

        foreach (Thread thread in threads)
        {
            if (thread != Thread.CurrentThread)
            {
                thread.Join();
            }
        }
    }

    /// <summary>Queues a job. Returns false if there is no thread and the system gives none.</summary>
    private bool TryQueue(OutputJob job)
    {
        job.QueuedAt = _caller.Spans.Now;
        lock (_gate)
        {
            int idle = _looking + _sleeping;
            if (idle == 0 && _threads.Count < _scale.Count && !TryStart() && _threads.Count == 0)
            {
                return false;
            }

            _ready.Add(job);
            if (idle > 0 && (_looking == 0 || job.IsAwaited || _ready.Count % WorthWaking == 0))
            {
                Monitor.Pulse(_gate);
            }
        }

        return true;
    }

    private bool TryStart()
    {
        string name = "writer " + (_threads.Count + 1).ToString(CultureInfo.InvariantCulture);
        Writer writer = _unstarted ??= new Writer(report, name);
        var thread = new Thread(() => Work(writer), StackBytes) { IsBackground = true, Name = "Transport.Files " + name };
        if (!Threads.TryStart(() => (start ?? (static t => t.Start()))(thread)))
        {
            return false;
        }

        _threads.Add(thread);
        _writers.Add(writer);
        _unstarted = null;
        return true;
    }

    private void Work(Writer writer)
    {
        var batch = new List<OutputJob>(LargestBatch);
        while (Take(batch, writer))
        {
            (int jobs, long bytes, long since) = (0, writer.Bytes, Stopwatch.GetTimestamp());
            for (int i = 0; i < batch.Count; i++)
            {
                OutputJob job = batch[i];
                if (writer.Spans.AreHeard)
                {
                    writer.Spans.Span("queued", job.QueuedAt, job.Path);
                }

                job.Run(writer);
                jobs++;
                if (i == batch.Count - 1 || Stopwatch.GetTimestamp() - since > s_long)
                {
                    Note(jobs, writer.Bytes - bytes, since);
                    (jobs, bytes, since) = (0, writer.Bytes, Stopwatch.GetTimestamp());
                }
            }

            batch.Clear();
            after(writer);
        }
    }

    /// <summary>Notes what jobs took, and starts more threads if they pay.</summary>
    private void Note(int jobs, long bytes, long since)
    {
        long busy = Stopwatch.GetTimestamp() - since;
        lock (_gate)
        {
            _scale.Note(jobs, Math.Max(0, bytes), busy);   // a long job reports, and then its writer's bytes begin anew
            while (_threads.Count < _scale.Count && _ready.Count > 0 && TryStart())
            {
                // There is work for them.
            }
        }
    }

    /// <summary>Takes the next jobs.</summary>
    /// <param name="batch">Gets them; empty.</param>
    /// <param name="writer">The writer.</param>
    /// <returns>False: the thread ends.</returns>
    private bool Take(List<OutputJob> batch, Writer writer)
    {
        lock (_gate)
        {
            writer.Folder = null;
            if (_threads.Count - _ended > _scale.Count)
            {
                _ended++;
                return false;
            }

            for (int looks = 0; _ready.Count == 0; looks++)
            {
                if (_stopped)
                {
                    return false;
                }

                Wait(looks < Looks);
            }

            int share = Math.Min(LargestBatch, Math.Max(1, _ready.Count / _scale.Count));
            _ready.Take(batch, share, _scale.Count, folder => _writers.Exists(w => w.Folder == folder));
            writer.Folder = batch[0].Parent;
        }

        return true;
    }

    private void Wait(bool isShort)
    {
        ref int count = ref isShort ? ref _looking : ref _sleeping;
        count++;
        if (isShort)
        {
            Monitor.Wait(_gate, LookMs);
        }
        else
        {
            Monitor.Wait(_gate);
        }

        count--;
    }
}
