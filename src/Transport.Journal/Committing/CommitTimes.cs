using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Journal;

/// <summary>
/// How long commits took: counts in steps of a sixteenth, so that percentiles are within 7 %. Written by one thread at a time, read by
/// any.
/// </summary>
internal sealed class CommitTimes
{
    private const int StepBits = 4;
    private const int Steps = 1 << StepBits;

    private readonly long[] _counts = new long[64 << StepBits];
    private long _longest;   // written by who commits; read by all, each by itself
    private long _count;     // the same
    private long _unreported;   // put there by who commits, taken by who reports; the last one counts

    public void Add(long stopwatchTicks)
    {
        long value = Math.Max(stopwatchTicks, 0);
        JournalMeter.Committed();
        Interlocked.Exchange(ref _unreported, value);
        _counts[IndexOf(value)]++;
        Volatile.Write(ref _count, _count + 1);
        if (value > _longest)
        {
            Volatile.Write(ref _longest, value);
        }
    }

    /// <summary>Counts a commit that was not timed.</summary>
    public void AddUntimed()
    {
        Volatile.Write(ref _count, _count + 1);
        JournalMeter.Committed();
    }

    /// <summary>Tells listeners how long the last commit took that was timed. Without a lock: they are the program's own code.</summary>
    public void Report()
    {
        if (Volatile.Read(ref _unreported) > 0 && Interlocked.Exchange(ref _unreported, 0) is > 0 and var ticks)
        {
            JournalMeter.Took(ticks);
        }
    }

    public JournalCommits Snapshot(long longestSync)
    {
        // No copy: a Mark asks for this in every pause. Counts that rise meanwhile are one commit more or less.
        long[] counts = _counts;
        long total = 0;
        foreach (long count in counts)
        {
            total += count;
        }

        // The end of a step may lie above all that was there.
        long longest = Volatile.Read(ref _longest);
        return new JournalCommits
        {
            Count = Volatile.Read(ref _count),
            Median = Span(Math.Min(At(counts, (total + 1) / 2), longest)),
            Percentile99 = Span(Math.Min(At(counts, total - (total / 100)), longest)),
            Longest = Span(longest),
            LongestSync = Span(longestSync),
        };
    }

    private static long At(long[] counts, long rank)
    {
        long seen = 0;
        for (int i = 0; i < counts.Length && rank > 0; i++)
        {
            seen += counts[i];
            if (seen >= rank)
            {
                return UpperEnd(i);
            }
        }

        return 0;
    }

    private static TimeSpan Span(long stopwatchTicks) =>
        TimeSpan.FromTicks((long)(stopwatchTicks * ((double)TimeSpan.TicksPerSecond / Stopwatch.Frequency)));

    private static int IndexOf(long value)
    {
        int power = 0;
        while (value >> power >= 2 * Steps)
        {
            power++;
        }

        return (power << StepBits) + (int)(value >> power);
    }

    private static long UpperEnd(int index)
    {
        int power = Math.Max(0, (index >> StepBits) - 1);
        return (((long)index - ((long)power << StepBits) + 1) << power) - 1;
    }
}
