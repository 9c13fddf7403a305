using System;
using System.Globalization;
using System.Linq;

namespace Transport.Loads.Measuring;

/// <summary>Percentiles of single calls or trips, in nanoseconds.</summary>
internal sealed record Distribution(double P50, double P99, double P999, double Max)
{
    /// <summary>Sorts the durations, which are Stopwatch ticks.</summary>
    public static Distribution Of(Span<long> ticks)
    {
        ticks.Sort();
        double scale = 1e9 / System.Diagnostics.Stopwatch.Frequency;
        return new Distribution(At(ticks, 0.5) * scale, At(ticks, 0.99) * scale, At(ticks, 0.999) * scale, ticks[^1] * scale);
    }

    public static Distribution Parse(string text)
    {
        double[] v = text.Split(' ').Select(t => double.Parse(t, CultureInfo.InvariantCulture)).ToArray();
        return new Distribution(v[0], v[1], v[2], v[3]);
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{P50:f0} {P99:f0} {P999:f0} {Max:f0}");

    private static long At(ReadOnlySpan<long> sorted, double share) => sorted[Math.Min(sorted.Length - 1, (int)(sorted.Length * share))];
}
