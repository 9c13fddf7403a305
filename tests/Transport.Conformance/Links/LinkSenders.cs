using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Many senders, questions and answers, a peer that does not read: the same order, the same ledger, never a wait.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkSenders(string wire)
{
    private const int Each = 3_000;

    [Test]
    public async Task Many_threads_that_send_both_ways_keep_their_order_and_the_ledger()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var next = new Dictionary<int, long>();
        var wrong = new List<string>();
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (packet, _) =>
        {
            long expected = next.TryGetValue(packet.Sender, out long n) ? n : 0;
            if (packet.Number != expected)
            {
                wrong.Add($"sender {packet.Sender}: expected {expected}, got {packet.Number}");
            }

            next[packet.Sender] = packet.Number + 1;
        }));
        rig.Worker.Start(new PacketRouter());
        await Task.WhenAll(Enumerable.Range(0, 4).Select(sender => WireReading.OnThread(() =>
        {
            for (int i = 0; i < Each; i++)
            {
                var packet = new Numbered(sender, i, new byte[1 + (i % 700)]);
                SendResult result = rig.Worker.TrySend(TestPackets.Numbered, packet);
                if (result == SendResult.Full)
                {
                    result = rig.Worker.Send(TestPackets.Numbered, packet, WithinExtensions.Bound);
                }

                if (result != SendResult.Queued)
                {
                    throw new InvalidOperationException($"Packet {i} of sender {sender}: {result}.");
                }
            }
        }))).Within("the senders");
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That(end.IsClean, Is.True, end.ToString());
        Assert.That(wrong, Is.Empty);
        Assert.That((end.Receipt.Sent, end.Receipt.Acknowledged), Is.EqualTo((4L * Each, 4L * Each)));
    }

    [Test]
    public async Task Every_way_to_send_keeps_packets_whole_over_a_wire_that_takes_writes_in_pieces()
    {
        PiecewiseWire? pieces = null;
        await using LinkRig rig =
            await LinkRig.OpenAsync(wire, worker: o => o.MaxQueuedBytes = 64 << 10, fault: inner => pieces = new PiecewiseWire(inner));
        int wrong = 0;
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (packet, context) =>
        {
            if (!Array.TrueForAll(packet.Payload, b => b == (byte)packet.Sender))
            {
                Interlocked.Increment(ref wrong);
            }

            rig.Main.SetLevels(new LevelRules((PacketLevel)(packet.Number % 7)));
            _ = rig.Main.TrySend(TestPackets.Numbered, packet, Lane.Urgent, LanePolicy.Drop);   // so that the worker acknowledges as well
        }));
        rig.Worker.Start(new PacketRouter().On(TestPackets.Numbered, (_, _) => { }));
        Func<Numbered, Task<SendResult>>[] ways =
        [
            packet => Task.FromResult(rig.Worker.Send(TestPackets.Numbered, packet, WithinExtensions.Bound)),
            packet => rig.Worker.SendAsync(TestPackets.Numbered, packet, Lane.Bulk).AsTask(),
            packet => rig.Worker.SendAsync(TestPackets.Numbered, packet, Lane.Urgent).AsTask(),
            packet => Task.FromResult(rig.Worker.TrySend(TestPackets.Numbered, packet, policy: LanePolicy.Drop)),
        ];
        await Task.WhenAll(ways.Select((send, sender) => Task.Run(async () =>
        {
            for (int i = 0; i < 1_000; i++)
            {
                _ = await send(new Numbered(sender, i, [.. Enumerable.Repeat((byte)sender, 1 + (i % 300))]));
            }
        }))).Within("the senders");
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That(end.IsClean, Is.True, end.ToString());
        Assert.That((wrong, pieces!.IsShared), Is.EqualTo((0, false)));
        int written = RawFrame.ParseAll(pieces.Bytes()).Count(f => f.Lane != 0 && !f.HasMore);
        Assert.That(((long)written, end.Receipt.Sent + end.Receipt.Dropped), Is.EqualTo((end.Receipt.Sent, 4_000L)));
    }

    [Test]
    public async Task A_question_and_its_answer_go_back_and_forth()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        using var answered = new SemaphoreSlim(0);
        rig.Main.Start(new PacketRouter().On(
            TestPackets.Numbered, (packet, context) => _ = context.Sender.TrySend(TestPackets.Numbered, packet)));
        rig.Worker.Start(new PacketRouter().On(TestPackets.Numbered, (_, _) => answered.Release()));
        for (int i = 0; i < 500; i++)
        {
            Assert.That(rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, i, new byte[40])), Is.EqualTo(SendResult.Queued));
            Assert.That(await answered.WaitAsync(WithinExtensions.Bound), Is.True, $"no answer to question {i}");
        }

        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That((end.Receipt.Sent, end.Receipt.Acknowledged, end.Receipt.Received), Is.EqualTo((500L, 500L, 500L)));
    }

    [Test]
    public async Task A_peer_that_does_not_read_never_holds_the_caller_up()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        int queued = 0;
        await WireReading.OnThread(() =>
        {
            while (main.TrySend(TestPackets.Numbered, new Numbered(0, queued, new byte[30_000])) == SendResult.Queued)
            {
                queued++;
            }
        }).Within("the caller: the queue is full, the wire too");
        Task<LinkEnd> closing = main.CloseAsync();
        List<RawFrame> frames = [];
        while (frames.Count == 0 || frames[frames.Count - 1].Type != RawPeer.Goodbye)
        {
            frames.Add(await peer.ReadAsync());
        }

        Assert.That(frames.Count(f => f.Lane == (int)Lane.Normal), Is.EqualTo(queued), "none was lost or sent twice");
        peer.SendGoodbye(0);
        peer.Wire.Shutdown();
        Assert.That((await closing.Within("the close")).Receipt.Sent, Is.EqualTo(queued));
    }
}
