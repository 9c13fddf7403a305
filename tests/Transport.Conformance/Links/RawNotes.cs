using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Sentences of PROTOCOL.md that were broken once.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class RawNotes(string wire)
{
    [Test]
    public async Task The_answer_to_Goodbye_is_what_is_queued_then_Ack_then_Goodbye()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        peer.Send(2, 2000, [0xc0]);
        for (int i = 0; i < 30; i++)
        {
            Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, i, new byte[100_000])), Is.EqualTo(Transport.SendResult.Queued));
        }

        peer.SendGoodbye(1);
        List<RawFrame> came = await peer.ReadUntilAsync(RawPeer.Goodbye);
        int[] types = [.. came.Select(f => (int)f.Type)];
        int lastData = Array.LastIndexOf(types, TestPackets.Numbered.Id);
        Assert.That(types.Count(t => t == TestPackets.Numbered.Id), Is.EqualTo(60), "30 packets of two frames");
        Assert.That(types.Skip(lastData + 1), Is.EqualTo(new[] { 5, 4 }), "after the last packet Ack, then Goodbye");
        Assert.That(came[came.Count - 2].Map["packets"], Is.EqualTo(1));
    }

    [Test]
    public async Task Keys_of_other_packets_are_unknown_keys_and_skipped()
    {
        await using RawPeer peer = await RawPeer.ConnectAsync(wire);
        peer.Send(0, 1, Bodies.Map(("protocol", "transport"), ("min", 1), ("max", 1), ("secret", peer.Secret), ("version", "1.2"),
            ("level", 9), ("message", 5), ("code", 5)));
        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Welcome));
        Link link = await peer.Ticket.WaitForLinkAsync().Within("the link");
        link.Start(new PacketRouter());
        peer.Send(0, 5, Bodies.Map(("packets", 0), ("reason", 5), ("id", "x")));
        peer.Send(0, 6, Bodies.Map(("id", 7), ("level", "x"), ("packets", "x")));
        Assert.That((await peer.ReadUntilAsync(7)).Last().Map["id"], Is.EqualTo(7), "the link lives and answers");
    }

    [Test]
    public async Task A_callback_that_throws_costs_neither_the_answer_nor_the_connection()
    {
        await using RawPeer peer = await RawPeer.ConnectAsync(wire);
        peer.Listener.ConnectionRefused += (_, _) => throw new InvalidOperationException("the caller's mistake");
        peer.Send(0, 1, RawPeer.HelloBody(new byte[32]));
        List<RawFrame> came = await peer.ReadToEndAsync();
        Assert.That(came.Single().Map["code"], Is.EqualTo("secret"));
        Assert.That(peer.Listener.RefusedConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task A_reason_that_reads_as_a_fault_is_the_callers_text_and_no_fault()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        _ = main.CloseAsync("Timeout");
        Assert.That((await peer.ReadUntilAsync(RawPeer.Goodbye)).Last().Map["reason"], Is.EqualTo("closed: Timeout"));
    }

    [Test]
    public async Task An_Ack_is_due_at_the_latest_after_4096_packets()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        byte[] packet = RawFrame.Bytes(2, 2000, [0xc0]);
        byte[] all = new byte[packet.Length * 20_000];
        for (int i = 0; i < 20_000; i++)
        {
            packet.CopyTo(all, i * packet.Length);
        }

        Task sending = WireReading.OnThread(() => peer.SendBytes(all));
        long reported = 0;
        while (reported < 20_000)
        {
            RawFrame ack = await peer.ReadAsync();
            long number = Convert.ToInt64(ack.Map["packets"], System.Globalization.CultureInfo.InvariantCulture);
            Assert.That(number - reported, Is.InRange(1, 4_096));
            reported = number;
        }

        await sending.Within("the packets");
    }
}
