using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>A queue full of bulk has capacity left for what is urgent, and for nothing else.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkReserve(string wire)
{
    private const int Budget = 256 << 10;
    private const int Reserve = Budget / 8;
    private const int Bulk = 5_000_000;

    [Promise("Sending", "Urgent packets find capacity when other lanes have filled the queue.")]
    [Test]
    public async Task An_urgent_packet_is_taken_where_a_bulk_packet_fills_the_queue()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = Budget);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        long frames = 0;
        for (int round = 0; round < 2; round++)
        {
            // What the peer has read is given back a moment later, when its write has returned.
            Assert.That(SpinWait.SpinUntil(() => main.Counters.QueuedBytes == 0, WithinExtensions.Bound), Is.True, "everything is written");

            // More than any wire holds, and the peer reads nothing: the queue stays above its budget.
            Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, round, new byte[Bulk]), Lane.Bulk),
                Is.EqualTo(SendResult.Queued));
            Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[10])), Is.EqualTo(SendResult.Full), "normal");
            int urgent = 0;
            while (main.TrySend(TestPackets.Numbered, new Numbered(1, urgent, new byte[1_000]), Lane.Urgent) == SendResult.Queued)
            {
                urgent++;
                Assert.That(urgent, Is.LessThan(5_000), "the reserve has an end");
                Assert.That(main.Counters.QueuedBytes, Is.LessThanOrEqualTo(Bulk + 2_000 + Reserve),
                    "bulk with its headers, and the reserve");
            }

            Assert.That(urgent, Is.GreaterThanOrEqualTo(30), "1,000 B each in 32 KiB");
            Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(1, 0, new byte[Reserve]), Lane.Urgent), Is.EqualTo(SendResult.Full),
                "the reserve takes no packet larger than it");
            Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[10]), Lane.Bulk), Is.EqualTo(SendResult.Full),
                "bulk");
            List<RawFrame> came = await ReadRoundAsync(peer, urgent);
            int lastUrgent = came.FindLastIndex(f => f.Lane == 1);
            Assert.That(came.Skip(lastUrgent + 1).Sum(f => (long)f.Body.Length), Is.GreaterThan(Bulk / 2),
                "most of the bulk packet comes after the last urgent one");
            frames += urgent + 1;
        }

        Task<List<RawFrame>> rest = peer.ReadUntilAsync(RawPeer.Goodbye);
        Task<LinkEnd> closing = main.CloseAsync();
        RawFrame goodbye = (await rest).Last();
        Assert.That(goodbye.Map["packets"], Is.EqualTo(frames));
        peer.Send(0, RawPeer.Ack, Bodies.Map(("packets", frames)));
        peer.SendGoodbye(0);
        peer.Wire.Shutdown();
        LinkEnd end = await closing.Within("the close");
        Assert.That(end.IsClean, Is.True, end.ToString());
        Assert.That(main.Counters.QueuedBytes, Is.Zero, "every byte was given back to where it was taken");
    }

    [Test]
    public async Task A_send_that_waits_for_the_reserve_gets_it()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = Budget);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[Bulk]), Lane.Bulk), Is.EqualTo(SendResult.Queued));
        Task<SendResult> waiting;
        int urgent = 0;
        do
        {
            waiting = main.SendAsync(TestPackets.Numbered, new Numbered(1, urgent, new byte[2_000]), Lane.Urgent).AsTask();
            urgent++;
            Assert.That(urgent, Is.LessThan(5_000), "the reserve has an end");
        }
        while (waiting.IsCompleted);

        // The peer reads those before it and then nothing: most of the bulk packet still fills the queue.
        var came = new List<RawFrame>();
        while (came.Count(f => f.Lane == 1) < urgent - 1)
        {
            came.Add(await peer.ReadAsync());
        }

        Assert.That(await waiting.Within("the reserve"), Is.EqualTo(SendResult.Queued));
        Assert.That(came.Where(f => f.Lane == 3).Sum(f => (long)f.Body.Length), Is.LessThan(Bulk / 2));
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[10])), Is.EqualTo(SendResult.Full), "normal");
        main.Abort("done");
    }

    /// <summary>Reads one bulk packet and so many urgent ones.</summary>
    private static async Task<List<RawFrame>> ReadRoundAsync(RawPeer peer, int urgent)
    {
        var came = new List<RawFrame>();
        while (came.Count(f => f.Lane == 1) < urgent || !came.Exists(f => f.Lane == 3 && !f.HasMore))
        {
            RawFrame frame = await peer.ReadAsync();
            if (frame.Lane != 0)
            {
                came.Add(frame);
            }
        }

        return came;
    }
}
