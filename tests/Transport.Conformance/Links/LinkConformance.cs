using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What every link keeps, whatever the wire.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkConformance(string wire)
{
    [Test]
    public async Task Ten_thousand_packets_arrive_in_order_and_the_receipt_says_so()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var received = new List<long>();
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (n, _) => received.Add(n.Number)));
        rig.Worker.Start(new PacketRouter());
        for (int i = 0; i < 10_000; i++)
        {
            Assert.That(rig.Worker.Send(TestPackets.Numbered, new Numbered(0, i, new byte[i % 300]), WithinExtensions.Bound),
                Is.EqualTo(SendResult.Queued));
        }

        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        LinkEnd other = await rig.Main.Completion.Within("the main node's end");
        using (Assert.EnterMultipleScope())
        {
            Assert.That(end.IsClean, Is.True, end.ToString());
            Assert.That(other.IsClean, Is.True, other.ToString());
            Assert.That(received, Is.EqualTo(Enumerable.Range(0, 10_000).Select(i => (long)i)));
            Assert.That(end.Receipt.Sent, Is.EqualTo(10_000));
            Assert.That(end.Receipt.Acknowledged, Is.EqualTo(10_000));
            Assert.That(other.Receipt.Received, Is.EqualTo(10_000));
            Assert.That(other.Receipt.PeerSent, Is.EqualTo(10_000));
        }
    }

    [TestCase(1)]
    [TestCase(65_500)]
    [TestCase(65_536)]
    [TestCase(70_000)]
    [TestCase(5_000_000)]
    public async Task A_packet_of_any_size_arrives_whole(int size)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var payload = new byte[size];
        new Random(size).NextBytes(payload);
        var received = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (n, _) => received.TrySetResult(n.Payload)));
        Assert.That(rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, 0, payload)), Is.EqualTo(SendResult.Queued));
        byte[] came = await received.Task.Within("the packet");
        Assert.That(came.AsSpan().SequenceEqual(payload), Is.True);
    }

    [Test]
    public async Task A_request_is_answered()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter()
            .OnRequest(TestPackets.Text, TestPackets.Text, (question, _) => Task.FromResult(question + "!")));
        string answer = await rig.Main.RequestAsync(TestPackets.Text, TestPackets.Text, "here").Within("the answer");
        Assert.That(answer, Is.EqualTo("here!"));
    }

    [Test]
    public async Task A_worker_whose_stream_ends_without_Goodbye_is_gone()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var received = new List<long>();
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (n, _) => received.Add(n.Number)));
        rig.Worker.Start(new PacketRouter());
        rig.Worker.Abort("test");
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.PeerGone));
    }
}
