using System;
using System.Diagnostics;

namespace Transport.Chaos.Standstills;

/// <summary>How long single calls took, in ns.</summary>
internal sealed record CallTimes(long Count, double P50, double P99, double P999, double Max, long Over2Micros, long Over20Micros)
{
    public static CallTimes Of(ReadOnlySpan<long> ticks)
    {
        if (ticks.IsEmpty)
        {
            return new CallTimes(0, 0, 0, 0, 0, 0, 0);
        }

        long[] sorted = ticks.ToArray();
        Array.Sort(sorted);
        double ns = 1e9 / Stopwatch.Frequency;
        return new CallTimes(sorted.Length, At(0.5), At(0.99), At(0.999), sorted[^1] * ns, Above(2_000), Above(20_000));

        long Above(double most) => sorted.Length - Array.FindLastIndex(sorted, t => t * ns <= most) - 1;

        double At(double share) => sorted[Math.Min(sorted.Length - 1, (int)(sorted.Length * share))] * ns;
    }
}
