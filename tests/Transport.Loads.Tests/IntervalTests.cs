using System;
using System.Linq;
using NUnit.Framework;
using Transport.Loads.Measuring;

namespace Transport.Loads.Tests;

[TestFixture]
public sealed class IntervalTests
{
    [Test]
    public void Fifteen_rounds_give_the_fourth_smallest_and_the_fourth_largest()
    {
        // P(Binomial(15, 1/2) <= 3) = 1.76 %, P(... <= 4) = 5.9 %: the 4th is the last one with at most 5 % beyond it.
        var interval = Interval.Of(Enumerable.Range(1, 15).Select(i => (double)i).Reverse());
        Assert.That((interval.Low, interval.Median, interval.High), Is.EqualTo((4.0, 8.0, 12.0)));
    }

    [Test]
    public void Fewer_rounds_than_an_interval_needs_give_the_smallest_and_the_largest([Range(1, 4)] int rounds)
    {
        var interval = Interval.Of(Enumerable.Range(1, rounds).Select(i => (double)i));
        Assert.That((interval.Low, interval.High), Is.EqualTo((1.0, (double)rounds)));
    }

    [Test]
    public void An_even_number_of_rounds_has_its_median_in_the_middle() =>
        Assert.That(Interval.Of([4, 1, 3, 2]).Median, Is.EqualTo(2.5));

    [Test]
    public void The_interval_holds_the_true_median_nine_times_in_ten()
    {
        const int Trials = 4000;
        var random = new Random(20_260_101);
        int held = 0;
        for (int i = 0; i < Trials; i++)
        {
            // Skewed, as times are; the true median of the square of a uniform number is 0.25.
            var interval = Interval.Of(Enumerable.Range(0, 15).Select(_ => Math.Pow(random.NextDouble(), 2)));
            held += interval.Low <= 0.25 && interval.High >= 0.25 ? 1 : 0;
        }

        Assert.That((double)held / Trials, Is.InRange(0.90, 0.99), "the 4th of 15 on either side holds it in 96.5 % of all cases");
    }
}
