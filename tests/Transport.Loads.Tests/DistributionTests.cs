using System.Diagnostics;
using System.Linq;
using NUnit.Framework;
using Transport.Loads.Measuring;

namespace Transport.Loads.Tests;

[TestFixture]
public sealed class DistributionTests
{
    private static readonly double Tick = 1e9 / Stopwatch.Frequency;

    [Test]
    public void Percentiles_of_different_durations_are_those_durations()
    {
        var distribution = Distribution.Of([.. Enumerable.Range(1, 1000).Select(i => (long)i * 100).Reverse()]);
        Assert.Multiple(() =>
        {
            Assert.That(distribution.P50, Is.EqualTo(50_100 * Tick));
            Assert.That(distribution.P99, Is.EqualTo(99_100 * Tick));
            Assert.That(distribution.P999, Is.EqualTo(100_000 * Tick));
            Assert.That(distribution.Max, Is.EqualTo(100_000 * Tick));
        });
    }

    [TestCase(400, 95.0)]
    [TestCase(500, 95.0)]
    [TestCase(100, 99.0)]
    public void A_median_within_one_step_of_the_clock_lies_as_far_in_it_as_calls_are_below(int below, double least)
    {
        // Most calls take 90 or 100 ticks of a clock that steps by 10: the median moves with their shares, not by whole steps.
        long[] ticks = [.. Enumerable.Repeat(90L, below), .. Enumerable.Repeat(100L, 1000 - below - 1), 110];
        double median = Distribution.Of(ticks).P50 / Tick;
        Assert.That(median, Is.InRange(least, 105.0));
    }

    [Test]
    public void It_comes_back_from_its_text()
    {
        var distribution = new Distribution(1.5, 20, 300, 4000);
        Assert.That(Distribution.Parse(distribution.ToString()), Is.EqualTo(distribution));
    }
}
