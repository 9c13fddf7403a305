using System;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Clock;

namespace Transport.Tests.Links;

/// <summary>A wait for capacity that began in a handler is ended if that handler hangs, and not if it has returned.</summary>
internal sealed class HandlerWatchTests
{
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(10);

    [Test]
    public void A_handler_that_has_run_for_the_silence_timeout_is_blamed_and_one_that_has_returned_is_not([Values] bool returned)
    {
        var clock = new ManualClock();
        var handler = new HandlerScope();
        var queue = new SendQueue(
            new AccusingPool(), 64 << 10, LanePolicy.Refuse, LanePolicy.Refuse, LanePolicy.Refuse, new LinkCounters(), static _ => { });
        var watch = new HandlerWatch(handler, clock, Silence, queue, Lane.Normal);
        clock.Advance(Silence - TimeSpan.FromTicks(1));
        Assert.DoesNotThrow(watch.ThrowIfStuck);
        handler.IsOver = returned;
        clock.Advance(TimeSpan.FromTicks(1));
        if (returned)
        {
            Assert.DoesNotThrow(watch.ThrowIfStuck);
            Assert.That(queue.Control.Refused, Is.Zero);
            return;
        }

        TransportException? stuck = Assert.Throws<TransportException>(watch.ThrowIfStuck);
        Assert.That((stuck!.Fault, queue.Control.Refused), Is.EqualTo((TransportFault.HandlerBlocked, 1L)));
    }
}
