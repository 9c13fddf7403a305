using System;
using System.Globalization;

namespace Transport.Loads.Measuring;

/// <summary>Percentiles of single calls or trips, in nanoseconds.</summary>
/// <remarks>
/// A clock that steps by 10 ns gives only a few different durations, and then a percentile jumps by a whole step if a thousandth of the
/// calls moves. So the durations of one step count as spread evenly over it, as a table of classes is read: a percentile lies as far inside
/// its step as the calls of that step that are below it.
/// </remarks>
internal sealed record Distribution(double P50, double P99, double P999, double Max)
{
    /// <summary>What is still the same step, in ticks: the scale between the clock's own count and the ticks rounds.</summary>
    private const long Rounding = 1;

    /// <summary>Sorts the durations, which are Stopwatch ticks.</summary>
    public static Distribution Of(long[] ticks)
    {
        Array.Sort(ticks);
        double scale = 1e9 / System.Diagnostics.Stopwatch.Frequency;
        return new Distribution(At(ticks, 0.5) * scale, At(ticks, 0.99) * scale, At(ticks, 0.999) * scale, ticks[ticks.Length - 1] * scale);
    }

    public static Distribution Parse(string text)
    {
        double[] v = Array.ConvertAll(text.Split(' '), t => double.Parse(t, CultureInfo.InvariantCulture));
        return new Distribution(v[0], v[1], v[2], v[3]);
    }

    public override string ToString() => FormattableString.Invariant($"{P50:f1} {P99:f1} {P999:f1} {Max:f0}");

    private static double At(long[] sorted, double share)
    {
        double rank = sorted.Length * share;
        int at = Math.Min(sorted.Length - 1, (int)rank);
        long value = sorted[at];
        int first = at;
        int behind = at + 1;
        while (first > 0 && value - sorted[first - 1] <= Rounding)
        {
            first--;
        }

        while (behind < sorted.Length && sorted[behind] - value <= Rounding)
        {
            behind++;
        }

        // The step is taken to reach half of the way to the next durations that were seen, on either side.
        double low = first > 0 ? (value + sorted[first - 1]) / 2.0 : value;
        double high = behind < sorted.Length ? (value + sorted[behind]) / 2.0 : value;
        double inside = low + ((high - low) * Math.Max(0, rank - first) / (behind - first));
        return behind - first == 1 ? value : inside;
    }
}
