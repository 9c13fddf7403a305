using System;
using System.Diagnostics;

namespace Transport.Files;

/// <summary>Decides how many threads work at once, by what a job takes.</summary>
/// <remarks>
/// <para>Where a job takes as long as the processor needs for it, more threads than a few gain nothing. Where it waits for a disk that is
/// far away, they do: so there the number is doubled, and doubled again as long as the last step has paid. In one directory the kernel
/// creates and removes one entry at a time, so there it ends early.</para>
/// <para>A step is measured while there are more jobs than threads; if they run out, it begins anew. Called under the lock of whoever
/// has the threads.</para>
/// </remarks>
internal sealed class WriterScale
{
    /// <summary>The most threads.</summary>
    public const int Most = 32;

    /// <summary>From this time a job on, it waits: on a local disk a file takes 5 to 50 us.</summary>
    private static readonly long s_slow = Stopwatch.Frequency / 4000;

    private const int JobsOfStep = 6;            // of each thread
    private const double Gain = 1.2;             // by which a step must be faster than the one before it, with half the threads
    private const double UnitBytes = 256 << 10;  // as much as one more job

    private readonly Func<long> _clock;
    private bool _isSettled;
    private long _since;
    private long _jobs;
    private long _busy;
    private double _units;
    private (int Count, double Speed)? _before;

    /// <summary>Initializes a new instance of the <see cref="WriterScale"/> class.</summary>
    /// <param name="wanted">A fixed number; null: by what a job takes, from <see cref="Platform.DefaultWriters"/> on.</param>
    /// <param name="clock">Gets the time in <see cref="Stopwatch"/> ticks; null for that clock.</param>
    public WriterScale(int? wanted, Func<long>? clock = null)
    {
        _clock = clock ?? Stopwatch.GetTimestamp;
        Count = wanted ?? Platform.DefaultWriters;
        _isSettled = wanted is not null;
        _since = _clock();
    }

    /// <summary>Gets how many may work now.</summary>
    public int Count { get; private set; }

    /// <summary>There is less to do than threads: what was measured says nothing about them.</summary>
    public void Restart()
    {
        (_jobs, _busy, _units) = (0, 0, 0);
        _since = _clock();
    }

    /// <summary>Notes what a thread has done.</summary>
    /// <param name="jobs">How many jobs.</param>
    /// <param name="bytes">The bytes that they wrote.</param>
    /// <param name="busy">How long they took, in <see cref="Stopwatch"/> ticks.</param>
    public void Note(int jobs, long bytes, long busy)
    {
        if (_isSettled)
        {
            return;
        }

        _jobs += jobs;
        _busy += busy;
        _units += jobs + (bytes / UnitBytes);
        if (_jobs >= (long)JobsOfStep * Count)
        {
            double speed = _units / Math.Max(1, _clock() - _since);
            if (_busy / _units >= s_slow)
            {
                Step(speed);
            }

            Restart();
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
            Count = Math.Min(2 * Count, Most);
        }
    }
}
