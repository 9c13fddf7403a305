using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>What an output has done so far, what failed, and how many entries are under way.</summary>
/// <remarks>
/// Safe for any thread: one lock guards the counters and the failures. Writers report once a batch, because a lock for each step of a small
/// file shows in its time.
/// </remarks>
internal sealed class OutputState
{
    private const int MostFailures = 1000;
    private readonly object _gate = new();
    private readonly List<FileFailure> _failures = [];

    // What waits for it, FileOutput.EndAsync, goes on where the last entry ended, and moves to a thread of the pool if there is one.
    private readonly TaskCompletionSource<bool> _idle = new();

    // Written once, under the lock, by the first failure; read without it by callers and writers between two steps of an entry.
    private volatile FileFailure? _first;

    // Written without the lock by whichever writer begins an entry, read by Progress; neither needs an order.
    private volatile OutputJob? _current;

    // Set once, under the lock, by TryClose; read without it by callers. What orders it against Begin stands at _underWay.
    private volatile bool _isClosed;

    // 1 and the entries under way, changed by Interlocked alone: Begin counts before it reads _isClosed, and TryClose writes _isClosed
    // before WaitIdleAsync takes the 1 away. So either Begin sees that the output is closed, or its entry is waited for.
    private long _underWay = 1;
    private long _files;
    private long _takenOver;
    private long _links;
    private long _bytes;
    private long _skipped;

    /// <summary>Gets the first failure, or null.</summary>
    public FileFailure? First => _first;

    /// <summary>Gets or sets the entry that a writer began last.</summary>
    public OutputJob? Current
    {
        get => _current;
        set => _current = value;
    }

    /// <summary>Gets the number of files that are complete.</summary>
    public long Files => Read(ref _files);

    /// <summary>Gets the number of files that were taken over.</summary>
    public long Reused => Read(ref _takenOver);

    /// <summary>Gets the number of links.</summary>
    public long Links => Read(ref _links);

    /// <summary>Gets the number of bytes written.</summary>
    public long Bytes => Read(ref _bytes);

    /// <summary>Gets the number of entries that were not begun, or not completed, because something else failed.</summary>
    public long Skipped => Read(ref _skipped);

    /// <summary>Gets the number of entries accepted and not ended.</summary>
    public long UnderWay => Math.Max(0, Volatile.Read(ref _underWay) - (_isClosed ? 0 : 1));

    /// <summary>Gets the failures in the order in which they came, at most 1,000.</summary>
    public IReadOnlyList<FileFailure> Failures
    {
        get
        {
            lock (_gate)
            {
                return _failures.ToArray();
            }
        }
    }

    /// <summary>Records a failure.</summary>
    /// <param name="failure">The failure.</param>
    /// <returns>Whether it is the first one.</returns>
    public bool AddFailure(FileFailure failure)
    {
        lock (_gate)
        {
            if (_failures.Count < MostFailures)
            {
                _failures.Add(failure);
            }

            bool isFirst = _first is null;
            _first ??= failure;
            return isFirst;
        }
    }

    /// <summary>Throws the first failure, if there is one.</summary>
    /// <exception cref="TransportException">The first failure.</exception>
    public void ThrowIfFailed()
    {
        if (_first is { } first)
        {
            throw first.ToException();
        }
    }

    /// <summary>Throws if the output takes no more entries.</summary>
    /// <exception cref="ObjectDisposedException">It is closed.</exception>
    /// <exception cref="TransportException">It has failed.</exception>
    public void ThrowIfUnavailable()
    {
        if (_isClosed)
        {
            throw new ObjectDisposedException("FileOutput", "The output is completed or disposed.");
        }

        ThrowIfFailed();
    }

    /// <summary>Counts an entry as under way.</summary>
    /// <exception cref="ObjectDisposedException">The output is closed.</exception>
    /// <exception cref="TransportException">The output has failed.</exception>
    public void Begin()
    {
        Interlocked.Increment(ref _underWay);
        try
        {
            ThrowIfUnavailable();
        }
        catch
        {
            End();
            throw;
        }
    }

    /// <summary>Counts an entry as ended.</summary>
    public void End() => End(1);

    /// <summary>Adds what a writer did since its last report.</summary>
    /// <param name="writer">The writer.</param>
    public void Report(Writer writer)
    {
        lock (_gate)
        {
            _files += writer.Files;
            _links += writer.Links;
            _bytes += writer.Bytes;
        }

        long ended = writer.Ended;
        writer.Files = writer.Links = writer.Bytes = writer.Ended = 0;
        End(ended);
    }

    /// <summary>Closes the output: no entry begins any more.</summary>
    /// <returns>False if it was closed before.</returns>
    public bool TryClose()
    {
        lock (_gate)
        {
            bool wasClosed = _isClosed;
            _isClosed = true;
            return !wasClosed;
        }
    }

    /// <summary>Waits until every entry has ended. Called once, after the output was closed.</summary>
    /// <returns>A task that completes on the thread of the last entry.</returns>
    public Task WaitIdleAsync()
    {
        End();
        return _idle.Task;
    }

    /// <summary>Counts a file that was taken over.</summary>
    public void AddTakenOver()
    {
        Add(ref _takenOver, 1);
        Add(ref _files, 1);
    }

    /// <summary>Counts a link.</summary>
    public void AddLink() => Add(ref _links, 1);

    /// <summary>Counts an entry that was not completed because something else failed.</summary>
    public void AddSkipped() => Add(ref _skipped, 1);

    private void End(long entries)
    {
        if (Interlocked.Add(ref _underWay, -entries) == 0)
        {
            _idle.TrySetResult(true);
        }
    }

    private long Read(ref long field)
    {
        lock (_gate)
        {
            return field;
        }
    }

    private void Add(ref long field, long count)
    {
        lock (_gate)
        {
            field += count;
        }
    }
}
