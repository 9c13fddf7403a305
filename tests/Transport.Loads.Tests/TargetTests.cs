using NUnit.Framework;
using Transport.Loads.Measuring;
using Transport.Loads.Report;

namespace Transport.Loads.Tests;

[TestFixture]
public sealed class TargetTests
{
    private static readonly Interval Straddling = new(1.0, 0.9, 1.1);

    [Test]
    public void A_target_holds_only_where_the_whole_interval_does()
    {
        Assert.Multiple(() =>
        {
            Assert.That(Target.AtLeast(0.9).Holds(Straddling, quick: false), Is.True);
            Assert.That(Target.AtLeast(0.95).Holds(Straddling, quick: false), Is.False);
            Assert.That(Target.AtMost(1.1).Holds(Straddling, quick: false), Is.True);
            Assert.That(Target.AtMost(1.05).Holds(Straddling, quick: false), Is.False);
        });
    }

    [Test]
    public void A_quick_run_is_judged_widely_in_times_and_strictly_in_bytes()
    {
        var slow = new Interval(8, 8, 8);
        Assert.Multiple(() =>
        {
            Assert.That(Target.AtMost(1.4).Holds(slow, quick: true), Is.True);
            Assert.That(Target.AtMost(0.7).Holds(slow, quick: true), Is.False);
            Assert.That(Target.ValueAtMost(7.9).Holds(slow, quick: true), Is.False);
        });
    }

    [Test]
    public void No_value_holds_no_target() =>
        Assert.That(Target.ValueAtMost(1).Holds(Interval.Of([]), quick: false), Is.False);

    [Test]
    public void A_target_says_what_it_is_compared_with()
    {
        Assert.Multiple(() =>
        {
            Assert.That(Target.AtLeast(0.75).Text(quick: false, "raw"), Is.EqualTo(">= 0.75 x raw"));
            Assert.That(Target.MoreByAtMost(40, 5000).Text(quick: false, "raw"), Is.EqualTo("<= 40 over raw"));
            Assert.That(Target.ValueAtMost(12).Text(quick: true, null), Is.EqualTo("<= 12"));
        });
    }
}
