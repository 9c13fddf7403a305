using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Tests.Sending;

/// <summary>A thread sleeps until it is woken, once for each wake.</summary>
internal sealed class WakeupTests
{
    [Test]
    public void A_wake_before_the_sleep_ends_it_and_is_used_up([Values] bool looksFirst)
    {
        var wakeup = new Wakeup();
        wakeup.Set();
        Assert.That(wakeup.Wait(Timeout.InfiniteTimeSpan, looksFirst), Is.True);
        Assert.That(wakeup.Wait(TimeSpan.FromMilliseconds(1), looksFirst), Is.False);
    }

    /// <summary>Two threads wake each other in turn, each of them awake or asleep when its turn comes: one wake that was lost would leave
    /// both asleep.</summary>
    [Test]
    public async Task No_wake_is_lost([Values] bool looksFirst)
    {
        const int Turns = 20_000;
        var (here, there) = (new Wakeup(), new Wakeup());
        int turns = 0;
        Task other = WireReading.OnThread(() =>
        {
            for (int i = 0; i < Turns; i++)
            {
                there.Wait(Timeout.InfiniteTimeSpan, looksFirst: i % 3 != 0);
                turns++;
                here.Set();
            }
        });
        Task own = WireReading.OnThread(() =>
        {
            for (int i = 0; i < Turns; i++)
            {
                there.Set();
                here.Wait(Timeout.InfiniteTimeSpan, looksFirst);
            }
        });
        await Task.WhenAll(own, other).Within("all turns");
        Assert.That(turns, Is.EqualTo(Turns));
    }
}
