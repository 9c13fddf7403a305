using System;
using System.Collections.Concurrent;
using System.Threading;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Wires;

namespace Transport.Tests.Links;

/// <summary>The one limit of a link.</summary>
internal sealed class LinkLimitTests
{
    [Test]
    public void A_limit_that_is_replaced_while_it_asks_whether_to_go_on_does_not_call()
    {
        var clock = new ManualClock();
        long start = clock.GetTimestamp();
        using var passed = new BlockingCollection<TimeSpan>();
        using var replaced = new ManualResetEventSlim();
        LinkLimit limit = new(clock, () => passed.Add(clock.GetElapsedTime(start)));
        limit.Set(TimeSpan.FromSeconds(1), () =>
        {
            limit.Set(TimeSpan.FromSeconds(2), static () => false);
            replaced.Set();
            return false;
        });
        clock.Advance(TimeSpan.FromSeconds(1));
        Assert.That(replaced.Wait(WithinExtensions.Bound), Is.True);
        Assert.That(passed.TryTake(out TimeSpan early, TimeSpan.FromMilliseconds(100)), Is.False, $"called after {early}");
        clock.Advance(TimeSpan.FromSeconds(2));
        Assert.That(passed.TryTake(out TimeSpan time, WithinExtensions.Bound), Is.True);
        Assert.That(time, Is.EqualTo(TimeSpan.FromSeconds(3)));
        Assert.That(passed, Is.Empty);
    }
}
