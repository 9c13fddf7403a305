using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

internal sealed class AckLedgerTests
{
    [Test]
    public void An_Ack_before_its_write_is_counted_is_taken_once_it_is([Values] bool isWritten)
    {
        var pool = new AccusingPool();
        SendQueue queue = Queues.Make(pool, 1 << 20);
        var ledger = new AckLedger(queue);
        Assert.That(ledger.Take(1), Is.False, "nothing was sent yet");
        if (isWritten)
        {
            var packet = new MemoryBody(1024, new byte[] { 0xc0 });
            Assert.That(queue.TrySend(packet, Lane.Normal, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));
            queue.Written(queue.Take()!, 0);
        }

        Assert.That(ledger.FindLie(), isWritten ? Is.Null : Does.Contain("1 packets are handled, 0 were sent"));
        Assert.That((ledger.Acknowledged, ledger.Missing), Is.EqualTo((isWritten ? 1L : 0L, 0L)));
        pool.Judge("queue's");
    }
}
