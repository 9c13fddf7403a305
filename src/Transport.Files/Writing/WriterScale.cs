using System;
using System.Diagnostics;

namespace Transport.Files;

/// <summary>Decides how many threads work at once, by what a job takes.</summary>
/// <remarks>
/// <para>Where a job takes as long as the processor needs for it, more threads than a few gain nothing. Where it waits for a disk that is
/// far away, they do: so there the number is doubled, and doubled again as long as the last step has paid. In one directory the kernel
/// creates and removes one entry at a time, so there it ends early.</para>
/// <para>How fast so many threads are follows from what a job takes: threads that wait for each other make it take longer. So it does not
/// matter when who reports, nor whether jobs run out in between. Called under the lock of whoever has the threads.</para>
/// </remarks>
internal sealed class WriterScale
{
    /// <summary>The most threads.</summary>
    public const int Most = 32;

    private const int JobsOfStep = 6;            // of each thread
    private const int Few = 4;                   // jobs of a report: those that wait are reported after a millisecond
    private const double Waiting = 0.75;         // of a step's jobs must have waited
    private const double Gain = 1.2;             // by which a step must be faster than the one before it, with half the threads
    private const double UnitBytes = 64 << 10;   // as much as one more job

    /// <summary>A job that takes as long, 1 ms, waits: on a local disk a small file takes 5 to 50 us. With a quarter of it files of 100 KB in
    /// memory counted as slow on a busy machine, and more writers made them slower.</summary>
    private static readonly long s_slow = Stopwatch.Frequency / 1000;

    private bool _isSettled;
    private int _early;   // reports of jobs that began with fewer threads are still to come
    private long _jobs;
    private long _slowJobs;
    private long _busy;
    private double _units;
    private (int Count, double Speed)? _before;

    /// <summary>Initializes a new instance of the <see cref="WriterScale"/> class.</summary>
    /// <param name="wanted">A fixed number; null: by what a job takes, from <see cref="Platform.DefaultWriters"/> on.</param>
    public WriterScale(int? wanted)
    {
        Count = wanted ?? Platform.DefaultWriters;
        _isSettled = wanted is not null;
    }

    /// <summary>Gets how many may work now.</summary>
    public int Count { get; private set; }

    /// <summary>Notes what a thread has done.</summary>
    /// <param name="jobs">How many jobs.</param>
    /// <param name="bytes">The bytes that they wrote.</param>
    /// <param name="busy">How long they took, in <see cref="Stopwatch"/> ticks.</param>
    public void Note(int jobs, long bytes, long busy)
    {
        if (_isSettled || jobs == 0 || _early-- > 0)
        {
            return;
        }

        double units = jobs + (bytes / UnitBytes);
        _early = 0;
        _jobs += jobs;
        _busy += busy;
        _units += units;

        // A thread that lost its core in the middle of many fast jobs has not waited for the disk.
        _slowJobs += jobs <= Few && busy >= s_slow * units ? jobs : 0;
        if (_jobs >= (long)JobsOfStep * Count)
        {
            if (_slowJobs >= Waiting * _jobs)
            {
                Step(Count * _units / _busy);
            }

            (_jobs, _slowJobs, _busy, _units) = (0, 0, 0, 0);
        }
    }

    private void Step(double speed)
    {
        if (_before is { } before && speed < before.Speed * Gain)
        {
            Count = before.Count;
            _isSettled = true;
        }
        else if (Count >= Most)
        {
            _isSettled = true;
        }
        else
        {
            _before = (Count, speed);
            _early = Count;
            Count = Math.Min(2 * Count, Most);
        }
    }
}
