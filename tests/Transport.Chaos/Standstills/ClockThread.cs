using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Chaos.Standstills;

/// <summary>Does nothing but read the clock: what it misses between two readings, the machine took, from whomever. The maximum of any call
/// is to be read beside its own.</summary>
internal sealed class ClockThread
{
    /// <summary>Gaps are counted by their length, a class a nanosecond's 2^-6 part of its power of two: a tight loop reads some hundred
    /// million times.</summary>
    private const int Fine = 64;

    private readonly long[] _classes = new long[64 * Fine];
    private readonly Thread _thread;
    private long _count;
    private long _most;
    private long _over2;
    private long _over20;
    private volatile bool _stop;

    public ClockThread()
    {
        _thread = new Thread(Read) { IsBackground = true, Name = "reads the clock" };
        _thread.Start();
    }

    public CallTimes Stop()
    {
        _stop = true;
        _thread.Join();
        return new CallTimes(_count, At(0.5), At(0.99), At(0.999), _most * 1e9 / Stopwatch.Frequency, _over2, _over20);
    }

    private static int ClassOf(long ticks)
    {
        int power = Math.Max(0, 63 - System.Numerics.BitOperations.LeadingZeroCount((ulong)Math.Max(1, ticks)));
        return (power * Fine) + (int)(power <= 6 ? (ticks - (1L << power)) << (6 - power) : (ticks - (1L << power)) >> (power - 6));
    }

    private void Read()
    {
        long before = Stopwatch.GetTimestamp(), micro = Stopwatch.Frequency / 1_000_000;
        while (!_stop)
        {
            long now = Stopwatch.GetTimestamp(), gap = now - before;
            _classes[gap <= 0 ? 0 : ClassOf(gap)]++;
            _count++;
            if (gap > 2 * micro)
            {
                _over2++;
                _over20 += gap > 20 * micro ? 1 : 0;
                _most = Math.Max(_most, gap);
            }

            before = now;
        }
    }

    private double At(double share)
    {
        long left = (long)(_count * share);
        for (int i = 0; i < _classes.Length; i++)
        {
            left -= _classes[i];
            if (left < 0)
            {
                int power = i / Fine;
                return ((1L << power) + ((i % Fine) * (double)(1L << power) / Fine)) * 1e9 / Stopwatch.Frequency;
            }
        }

        return 0;
    }
}
