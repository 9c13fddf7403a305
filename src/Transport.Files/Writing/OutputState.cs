using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>What an output has done so far, what failed, and what is still under way. Safe for any thread.</summary>
internal sealed class OutputState
{
    private const int MostFailures = 1000;
    private readonly List<FileFailure> _failures = [];
    private readonly TaskCompletionSource<bool> _idle = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private FileFailure? _first;
    private OutputJob? _current;
    private long _underWay = 1;
    private long _files;
    private long _takenOver;
    private long _links;
    private long _bytes;
    private long _skipped;

    public FileFailure? First => Volatile.Read(ref _first);

    /// <summary>Gets or sets what a writer began last; its path is made only where somebody asks.</summary>
    public OutputJob? Current
    {
        get => Volatile.Read(ref _current);
        set => Volatile.Write(ref _current, value);
    }

    public long Files => Volatile.Read(ref _files);

    public long TakenOver => Volatile.Read(ref _takenOver);

    public long Links => Volatile.Read(ref _links);

    public long Bytes => Volatile.Read(ref _bytes);

    public long Skipped => Volatile.Read(ref _skipped);

    /// <summary>Gets how many entries are handed over and not finished.</summary>
    public long UnderWay => Volatile.Read(ref _underWay) - (_idle.Task.IsCompleted ? 0 : 1);

    /// <summary>Gets what was told by <see cref="Fail"/>, the first first.</summary>
    public IReadOnlyList<FileFailure> Failures
    {
        get
        {
            lock (_failures)
            {
                return _failures.ToArray();
            }
        }
    }

    public void Fail(FileFailure failure)
    {
        lock (_failures)
        {
            if (_failures.Count < MostFailures)
            {
                _failures.Add(failure);
            }

            Volatile.Write(ref _first, _failures[0]);
        }
    }

    /// <summary>Ends the caller's step where something has failed.</summary>
    /// <exception cref="TransportException">With the first failure.</exception>
    public void ThrowIfFailed()
    {
        if (First is { } first)
        {
            throw Error(first);
        }
    }

    public static TransportException Error(FileFailure failure) => new(failure.Fault, failure + ".", failure.Cause);

    /// <exception cref="ObjectDisposedException">Nothing more may come.</exception>
    public void Begin()
    {
        long now = Volatile.Read(ref _underWay);
        while (now > 0)
        {
            long was = Interlocked.CompareExchange(ref _underWay, now + 1, now);
            if (was == now)
            {
                return;
            }

            now = was;
        }

        throw new ObjectDisposedException(nameof(FileOutput), "The output is completed or disposed.");
    }

    public void End()
    {
        if (Interlocked.Decrement(ref _underWay) == 0)
        {
            _idle.TrySetResult(true);
        }
    }

    /// <summary>Says that nothing more comes; called once.</summary>
    /// <returns>A task that ends when all that was handed over is finished.</returns>
    public Task CloseAsync()
    {
        End();
        return _idle.Task;
    }

    public void Wrote(long bytes) => Interlocked.Add(ref _bytes, bytes);

    public void FileDone() => Interlocked.Increment(ref _files);

    public void TookOver()
    {
        Interlocked.Increment(ref _takenOver);
        FileDone();
    }

    public void LinkDone() => Interlocked.Increment(ref _links);

    public void Skip() => Interlocked.Increment(ref _skipped);
}
