using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Loads.Measuring;

/// <summary>A median and the interval that holds the true median with a probability of at least 90 %.</summary>
/// <remarks>
/// From order statistics: with n rounds, the k-th smallest and the k-th largest value, where k is the largest number with
/// P(Binomial(n, 1/2) &lt; k) at most 5 %. Nothing is assumed about how the values are distributed. Fewer than 5 rounds give no such k:
/// then it is the smallest and the largest.
/// </remarks>
internal readonly record struct Interval(double Median, double Low, double High)
{
    public static Interval Of(IEnumerable<double> values)
    {
        double[] sorted = values.Order().ToArray();
        int n = sorted.Length;
        if (n == 0)
        {
            return new Interval(double.NaN, double.NaN, double.NaN);
        }

        int k = Math.Max(1, Rank(n));
        return new Interval(MedianOf(sorted), sorted[k - 1], sorted[n - k]);
    }

    private static double MedianOf(double[] sorted)
    {
        int half = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    private static int Rank(int n)
    {
        double term = Math.Pow(0.5, n);   // P(Binomial = 0)
        double below = 0;
        int k = 0;
        while (below + term <= 0.05 && k < n / 2)
        {
            below += term;
            term *= (double)(n - k) / (k + 1);
            k++;
        }

        return k;
    }
}
