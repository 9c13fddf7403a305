using System;
using System.Collections.Generic;
using NUnit.Framework;
using Transport.Testing.Clock;

namespace Transport.Tests.Links;

internal sealed class ManualClockTests
{
    [Test]
    public void Timers_fire_in_order_at_their_own_time()
    {
        var clock = new ManualClock();
        DateTimeOffset start = clock.GetUtcNow();
        var fired = new List<string>();
        void Note(object? name) => fired.Add($"{name}@{(clock.GetUtcNow() - start).TotalSeconds}");
        using var late = clock.CreateTimer(Note, "late", TimeSpan.FromSeconds(3), System.Threading.Timeout.InfiniteTimeSpan);
        using var periodic = clock.CreateTimer(Note, "tick", TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2));
        using var never = clock.CreateTimer(Note, "never", System.Threading.Timeout.InfiniteTimeSpan, TimeSpan.FromSeconds(1));
        var disposed = clock.CreateTimer(Note, "disposed", TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        disposed.Dispose();
        clock.Advance(TimeSpan.FromSeconds(5.5));
        Assert.That(fired, Is.EqualTo(new[] { "tick@1", "late@3", "tick@3", "tick@5" }));
        Assert.That(clock.GetElapsedTime(start.UtcTicks), Is.EqualTo(TimeSpan.FromSeconds(5.5)));
        Assert.That(clock.Armed, Is.EqualTo(1));
        Assert.That(() => clock.Advance(TimeSpan.FromSeconds(-1)), Throws.InstanceOf<ArgumentOutOfRangeException>());
    }

    [Test]
    public void A_callback_may_make_and_change_timers()
    {
        var clock = new ManualClock();
        int fired = 0;
        System.Threading.ITimer? timer = null;
        timer = clock.CreateTimer(_ => { fired++; timer!.Change(TimeSpan.FromSeconds(1), System.Threading.Timeout.InfiniteTimeSpan); },
            null, TimeSpan.FromSeconds(1), System.Threading.Timeout.InfiniteTimeSpan);
        clock.Advance(TimeSpan.FromSeconds(10));
        Assert.That(fired, Is.EqualTo(10));
    }
}
