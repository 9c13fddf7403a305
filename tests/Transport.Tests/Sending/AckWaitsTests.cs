using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Wires;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

internal sealed class AckWaitsTests
{
    private static readonly byte[] s_body = [0xc0];

    [Test]
    public async Task An_Ack_of_packets_that_have_overtaken_is_none_of_what_was_queued_before_them()
    {
        var pool = new AccusingPool();
        SendQueue queue = MakeQueue(pool);
        var ledger = new AckLedger(queue);
        int asked = 0;
        var waits = new AckWaits(queue, ledger, () => asked++);
        Send(queue, Lane.Bulk);
        Task<bool> waiting = waits.WaitAsync(CancellationToken.None);
        Send(queue, Lane.Urgent);
        Write(queue, waits, Lane.Urgent);
        Assert.That(ledger.Take(1), Is.True);
        waits.Look();
        Assert.That((waiting.IsCompleted, asked), Is.EqualTo((false, 0)), "the bulk packet is not even written");
        Write(queue, waits, Lane.Bulk);
        Assert.That((waiting.IsCompleted, asked), Is.EqualTo((false, 1)));
        Assert.That(ledger.Take(2), Is.True);
        waits.Look();
        Assert.That(await waiting.Within("the Ack"), Is.True);
        Assert.That(asked, Is.EqualTo(1), "once");
        pool.Judge("queue's");
    }

    [Test]
    public async Task Who_comes_when_all_is_acknowledged_waits_for_nothing_and_asks_nobody()
    {
        var pool = new AccusingPool();
        SendQueue queue = MakeQueue(pool);
        var ledger = new AckLedger(queue);
        var waits = new AckWaits(queue, ledger, () => Assert.Fail("asked"));
        Send(queue, Lane.Normal);
        Write(queue, waits, Lane.Normal);
        Assert.That(ledger.Take(1), Is.True);
        Assert.That(await waits.WaitAsync(CancellationToken.None).Within("the answer"), Is.True);
        pool.Judge("queue's");
    }

    /// <summary>Each new wait looked at all others: 16,000 took 3 s, and 200,000 would have taken minutes.</summary>
    [Test]
    public async Task However_many_wait_each_is_looked_at_once_or_twice()
    {
        var pool = new AccusingPool();
        SendQueue queue = MakeQueue(pool);
        var ledger = new AckLedger(queue);
        var waits = new AckWaits(queue, ledger, static () => { });
        Send(queue, Lane.Normal);
        using var cancel = new CancellationTokenSource();
        Task<bool>[] waiting = await Task.Run(() =>
        {
            var all = new Task<bool>[200_000];
            for (int i = 0; i < all.Length; i++)
            {
                all[i] = waits.WaitAsync(i % 2 == 0 ? cancel.Token : CancellationToken.None);
            }

            return all;
        }).Within("the waits");
        await Task.Run(cancel.Cancel).Within("the cancelled half");
        Write(queue, waits, Lane.Normal);
        Assert.That(ledger.Take(1), Is.True);
        waits.Look();
        for (int i = 1; i < waiting.Length; i += 2)
        {
            Assert.That(await waiting[i].Within("an Ack"), Is.True);
        }

        // Its continuation may stand behind a hundred thousand others on the pool.
        _ = await Task.WhenAny(waiting[0]).Within("the first that was cancelled");
        Assert.That(waiting[0].IsCanceled, Is.True);
        pool.Judge("queue's");
    }

    private static SendQueue MakeQueue(SegmentPool pool) =>
        Queues.Make(pool, 1 << 20);

    private static void Send(SendQueue queue, Lane lane) =>
        Assert.That(queue.TrySend(new MemoryBody(1024, s_body), lane, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));

    private static void Write(SendQueue queue, AckWaits waits, Lane lane)
    {
        Segment segment = queue.Take()!;
        Assert.That(segment.Lane, Is.EqualTo((int)lane));
        queue.Written(segment, 0);
        waits.Look();
    }
}
