using System;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Clock;
using Transport.Testing.Sending;

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
        SendQueue queue = Queues.Make(new AccusingPool(), 64 << 10);
        var watch = new HandlerWatch(handler, clock, Silence, queue, Lane.Normal);
        clock.Advance(Silence - TimeSpan.FromTicks(1));
        Assert.DoesNotThrow(watch.ThrowIfStuck);
        handler.IsOver = returned;
        clock.Advance(TimeSpan.FromTicks(1));
        if (returned)
        {
            Assert.DoesNotThrow(watch.ThrowIfStuck);
            Assert.That(queue.Refused, Is.Zero);
            return;
        }

        TransportException? stuck = Assert.Throws<TransportException>(watch.ThrowIfStuck);
        Assert.That((stuck!.Fault, queue.Refused), Is.EqualTo((TransportFault.HandlerBlocked, 1L)));
    }
}
