using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Links;
using Transport.Packets;
using Transport.Receiving;
using Transport.Sending;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Packets that the calling thread may write itself: the same order, the same ledger, never a wait.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkSendNow(string wire)
{
    private const int Each = 3_000;

    [Test]
    public async Task ManyThreadsThatSendBothWaysKeepTheirOrderAndTheLedger()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var next = new Dictionary<int, long>();
        var wrong = new List<string>();
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, packet =>
        {
            long expected = next.TryGetValue(packet.Sender, out long n) ? n : 0;
            if (packet.Number != expected)
            {
                wrong.Add($"sender {packet.Sender}: expected {expected}, came {packet.Number}");
            }

            next[packet.Sender] = packet.Number + 1;
        }));
        rig.Worker.Start(new PacketRouter());
        await Task.WhenAll(Enumerable.Range(0, 4).Select(sender => WireReading.OnThread(() =>
        {
            for (int i = 0; i < Each; i++)
            {
                var packet = new Numbered(sender, i, new byte[1 + (i % 700)]);
                SendResult result = (i + sender) % 2 == 0 ? rig.Worker.SendNow(TestPackets.Numbered, packet) : rig.Worker.Send(TestPackets.Numbered, packet);
                if (result == SendResult.Full)
                {
                    result = rig.Worker.SendWait(TestPackets.Numbered, packet, WithinExtensions.Bound);
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
    public async Task AQuestionAndItsAnswerGoBackAndForth()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        using var answered = new SemaphoreSlim(0);
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, packet => rig.Main.SendNow(TestPackets.Numbered, packet)));
        rig.Worker.Start(new PacketRouter().On(TestPackets.Numbered, _ => answered.Release()));
        for (int i = 0; i < 500; i++)
        {
            Assert.That(rig.Worker.SendNow(TestPackets.Numbered, new Numbered(0, i, new byte[40])), Is.EqualTo(SendResult.Queued));
            Assert.That(await answered.WaitAsync(WithinExtensions.Bound), Is.True, $"no answer to question {i}");
        }

        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That((end.Receipt.Sent, end.Receipt.Acknowledged, end.Receipt.Received), Is.EqualTo((500L, 500L, 500L)));
    }

    [Test]
    public async Task APeerThatDoesNotReadNeverHoldsTheCallerUp()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        int queued = 0;
        await WireReading.OnThread(() =>
        {
            while (main.SendNow(TestPackets.Numbered, new Numbered(0, queued, new byte[30_000])) == SendResult.Queued)
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
        peer.Wire.CompleteWriting();
        Assert.That((await closing.Within("the close")).Receipt.Sent, Is.EqualTo(queued));
    }
}
