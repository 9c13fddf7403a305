using System;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Sending;

namespace Transport.Tests.Links;

internal sealed class PingTests
{
    /// <summary>The peer was blamed for not answering what it was never asked.</summary>
    [Test]
    public void A_Ping_that_finds_no_memory_is_no_question_that_stays_open()
    {
        var pool = new AccusingPool();
        SendQueue queue = Queues.Make(pool, 64 << 10);
        var control = new ControlReceiver(
            new object(), queue, null!, null!, null!, null!, null!, null!, null!, null!, isMain: true, PacketLevel.Trace);
        pool.FailingRent = 1;
        Assert.Throws<OutOfMemoryException>(() => control.Ping(1, now: 100));
        Assert.That(control.AskedSince, Is.Zero);
        control.Ping(2, now: 200);
        control.Ping(3, now: 300);
        Assert.That(control.AskedSince, Is.EqualTo(200), "the first one that was asked");
    }
}
