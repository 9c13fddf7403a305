using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What is on the wire while packets wait to be safe.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class RawKeeping(string wire)
{
    [Promise("Journal", "With a store, a packet is acknowledged only after the store has flushed it.")]
    [Test]
    public async Task No_Ack_comes_before_its_packets_are_safe()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        var store = new TestStore();
        main.Start(new PacketRouter().UseStore(store));
        byte[] many = [.. Enumerable.Repeat(RawFrame.Bytes(2, 2000, [0xc0]), 3000).SelectMany(f => f)];
        await WireReading.OnThread(() => peer.SendBytes(many)).Within("writing");
        peer.Send(0, RawPeer.Ping, Bodies.Map(("id", 1)));
        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Pong), "all is handled, nothing acknowledged");
        Assert.That(main.Receipt.Received, Is.EqualTo(3000));

        store.Release();
        long reported = 0;
        while (reported < 3000)
        {
            RawFrame ack = await peer.ReadAsync();
            Assert.That(ack.Type, Is.EqualTo(RawPeer.Ack));
            Assert.That((long)ack.Map["packets"]!, Is.GreaterThan(reported));
            reported = (long)ack.Map["packets"]!;
        }
    }

    [Test]
    public async Task The_answer_to_Goodbye_waits_for_safety_also_where_the_peers_stream_has_ended([Values] bool streamEnds)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        var store = new TestStore();
        main.Start(new PacketRouter().UseStore(store));
        peer.SendBytes([.. Enumerable.Repeat(RawFrame.Bytes(2, 2000, [0xc0]), 5).SelectMany(f => f)]);
        peer.SendGoodbye(5);
        peer.Send(0, RawPeer.Ping, Bodies.Map(("id", 1)));
        if (streamEnds)
        {
            peer.Wire.Shutdown();
        }

        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Pong), "the main node is alive, and acknowledges nothing");
        Assert.That(main.State(), Is.EqualTo(LinkState.Draining));
        store.Release();
        List<RawFrame> end = await peer.ReadUntilAsync(RawPeer.Goodbye);
        Assert.That(end.Select(f => f.Type).Distinct(), Is.EqualTo(new[] { RawPeer.Ack, RawPeer.Goodbye }));
        Assert.That(end.Where(f => f.Type == RawPeer.Ack).Select(f => f.Map["packets"]), Is.All.EqualTo(5L));
        peer.Wire.Shutdown();
        Assert.That((await main.Completion.Within("the main node's end")).IsClean, Is.True);
    }

    [Test]
    public async Task An_exited_peers_packets_are_safe_when_the_link_has_ended()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        var store = new TestStore();
        main.Start(new PacketRouter().UseStore(store));
        peer.SendBytes([.. Enumerable.Repeat(RawFrame.Bytes(2, 2000, [0xc0]), 5).SelectMany(f => f)]);
        peer.Wire.Shutdown();
        Assert.That(System.Threading.SpinWait.SpinUntil(() => store.Asked > 0, WithinExtensions.Bound), Is.True);
        store.Release();
        LinkEnd end = await main.Completion.Within("the main node's end");
        Assert.That((end.Fault, end.Receipt.Received, end.Receipt.Flushed), Is.EqualTo((TransportFault.PeerGone, 5L, 5L)));
    }

    [Test]
    public async Task A_body_that_is_none_is_not_kept()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        var store = new TestStore();
        store.Release();
        // Its formatter would look over the body itself.
        main.Start(new PacketRouter().UseStore(store).On(TestPackets.Text, (_, _) => { }));
        peer.Send(2, 1025, [0xa2, (byte)'a']);
        Assert.That((await main.Completion.Within("the end")).Fault, Is.EqualTo(TransportFault.PacketMalformed));
        Assert.That(store.Kept, Is.Empty);
    }
}
