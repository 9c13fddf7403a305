using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>PROTOCOL.md, "Faults of a reader": every row, by a peer that writes the bytes itself. Valid packets before the fault are
/// delivered.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class RawFaults(string wire)
{
    private static readonly byte[] Valid = RawFrame.Bytes(2, 2000, [0xc0]);

    private static IEnumerable<TestCaseData> Rows()
    {
        TestCaseData Row(string name, TransportFault fault, params byte[][] parts) =>
            new TestCaseData(parts.SelectMany(p => p).ToArray(), fault).SetArgDisplayNames(name);
        byte[] Header(int at, byte value)
        {
            byte[] frame = RawFrame.Bytes(2, 2000, [0xc0]);
            frame[at] = value;
            return frame;
        }

        byte[] Claim(int lane, int type, int length)
        {
            byte[] header = new byte[10];
            RawFrame.Bytes(lane, type, [0]).AsSpan(0, 6).CopyTo(header);
            (header[6], header[7], header[8], header[9]) = ((byte)(length >> 24), (byte)(length >> 16), (byte)(length >> 8), (byte)length);
            return header;
        }

        const TransportFault Corrupt = TransportFault.FrameCorrupt;
        const TransportFault Malformed = TransportFault.PacketMalformed;
        yield return Row("array of 4", Corrupt, Header(0, 0x94));
        yield return Row("text", Corrupt, System.Text.Encoding.ASCII.GetBytes("GET / HTTP/1.1\r\n"));
        yield return Row("lane as uint 8", Corrupt, Header(1, 0xcc));
        yield return Row("reserved lane bit 2", Corrupt, Header(1, 0x06));
        yield return Row("reserved lane bit 5", Corrupt, Header(1, 0x22));
        yield return Row("type as uint 32", Corrupt, Header(2, 0xce));
        yield return Row("body as bin 8", Corrupt, Header(5, 0xc4));
        yield return Row("length 0", Corrupt, Claim(2, 2000, 0));
        yield return Row("length 65,537", Corrupt, Claim(2, 2000, 65_537));
        yield return Row("length 4 GiB", Corrupt, Claim(2, 2000, -1));
        yield return Row("MORE on lane 0", Corrupt, RawFrame.Bytes(0x40, 6, [0xc0]));
        yield return Row("type 255 on lane 2", Corrupt, RawFrame.Bytes(2, 255, [0xc0]));
        yield return Row("type 256 on lane 0", Corrupt, RawFrame.Bytes(0, 256, [0xc0]));
        yield return Row("a chunk of another type", Corrupt, RawFrame.Bytes(0x42, 2000, [0xc0]), RawFrame.Bytes(2, 2001, [0xc0]));
        yield return Row("a last chunk of another type", Corrupt, RawFrame.Bytes(0x42, 2000, [0xc0]), RawFrame.Bytes(0x42, 2000, [0xc0]),
            RawFrame.Bytes(2, 2001, [0xc0]));
        yield return Row("chunks above maxPacket", TransportFault.PacketTooLarge,
            [.. Enumerable.Repeat(RawFrame.Bytes(0x43, 2000, new byte[60_000]), 2)]);
        yield return Row("two values", Malformed, RawFrame.Bytes(2, 2000, [0xc0, 0xc0]));
        yield return Row("half a value", Malformed, RawFrame.Bytes(2, 2000, [0xda, 0x01]));
        yield return Row("0xc1", Malformed, RawFrame.Bytes(2, 2000, [0xc1]));
        yield return Row("an array of 4 G elements", Malformed, RawFrame.Bytes(2, 2000, [0xdd, 0xff, 0xff, 0xff, 0xff]));
        yield return Row("65 nested arrays", Malformed, RawFrame.Bytes(2, 2000, [.. Enumerable.Repeat((byte)0x91, 65), 0xc0]));
        yield return Row("60,000 nested arrays", Malformed, RawFrame.Bytes(2, 2000, [.. Enumerable.Repeat((byte)0x91, 60_000), 0xc0]));
        yield return Row("a typed packet of another shape", Malformed, RawFrame.Bytes(2, 1024, [0xc0]));
        yield return Row("two values for a formatter that checks the body", Malformed, RawFrame.Bytes(2, 1025, [0xa1, 0x61, 0xc0]));
        yield return Row("half a value for a formatter that checks the body", Malformed, RawFrame.Bytes(2, 1025, [0xa2, 0x61]));
        yield return Row("Ack without packets", Malformed, RawFrame.Bytes(0, 5, [0x80]));
        yield return Row("Ack that is no map", Malformed, RawFrame.Bytes(0, 5, [0x01]));
        yield return Row("Ping with a text as id", Malformed, RawFrame.Bytes(0, 6, Bodies.Map(("id", "x"))));
        yield return Row("SetLevel 7", Malformed, RawFrame.Bytes(0, 8, Bodies.Map(("level", 7))));
        yield return Row("SetLevel with a category of level 7", Malformed,
            RawFrame.Bytes(0, 8, [0x82, .. Key("level"), 2, .. Key("categories"), 0x81, .. Key("c"), 7]));
        yield return Row("SetLevel with 4 G categories", Malformed,
            RawFrame.Bytes(0, 8, [0x82, .. Key("level"), 2, .. Key("categories"), 0xdf, 0xff, 0xff, 0xff, 0xff]));
        yield return Row("SetLevel with 130 categories", Malformed, RawFrame.Bytes(0, 8, [0x82, .. Key("level"), 2, .. Key("categories"),
            0xde, 0, 130, .. Enumerable.Range(100, 130).SelectMany(i => (byte[])[.. Key($"{i}"), 1])]));
        yield return Row("Dropped of lane 0", Malformed, RawFrame.Bytes(0, 9, Bodies.Map(("lane", 0), ("packets", 1))));
        yield return Row("Dropped with a level's count below 0", Malformed,
            RawFrame.Bytes(0, 9, [0x83, .. Key("lane"), 2, .. Key("packets"), 1, .. Key("byLevel"), 0x81, 3, 0xff]));
        yield return Row("Dropped with a text as level", Malformed,
            RawFrame.Bytes(0, 9, [0x83, .. Key("lane"), 2, .. Key("packets"), 1, .. Key("byLevel"), 0x81, .. Key("x"), 1]));
        yield return Row("a second Hello", Malformed, RawFrame.Bytes(0, 1, RawPeer.HelloBody(new byte[32])));
        yield return Row("Goodbye that counts one too many", Malformed, RawFrame.Bytes(0, 4, Bodies.Map(("packets", 2), ("reason", ""))));
        yield return Row("Goodbye inside a packet", Malformed, RawFrame.Bytes(0x42, 2000, [0xc0]),
            RawFrame.Bytes(0, 4, Bodies.Map(("packets", 1), ("reason", ""))));
        yield return Row("Goodbye with refused below 0", Malformed,
            RawFrame.Bytes(0, 4, Bodies.Map(("packets", 1), ("reason", ""), ("refused", -1))));
        yield return Row("Goodbye with a number as detail", Malformed,
            RawFrame.Bytes(0, 4, Bodies.Map(("packets", 1), ("reason", ""), ("detail", 1))));
        yield return Row("data after Goodbye", Corrupt, RawFrame.Bytes(0, 4, Bodies.Map(("packets", 1), ("reason", ""))), Valid);
        yield return Row("Request that is no array", Malformed, RawFrame.Bytes(2, 272, [0x01]));
        yield return Row("Request with credit below 0", Malformed,
            RawFrame.Bytes(2, 272, [0x96, 1, 0xcd, 7, 0xd0, 0xc4, 1, 0xc0, 0xc0, 0xc0, 0xff]));
        yield return Row("Credit below 0", Malformed, RawFrame.Bytes(1, 276, [0x92, 1, 0xff]));
        yield return Row("Credit of one element", Malformed, RawFrame.Bytes(1, 276, [0x91, 1]));
        yield return Row("Item without a body", Malformed, RawFrame.Bytes(2, 275, [0x92, 1, 0xc0]));
        yield return Row("Answer of 3 elements", Malformed, RawFrame.Bytes(2, 273, [0x93, 1, 0, 0xc0]));
    }

    private static byte[] Key(string name) => Bodies.Value(name);

    [TestCaseSource(nameof(Rows))]
    public async Task Bytes_that_break_the_protocol_end_the_link_by_name(byte[] bytes, TransportFault fault)
    {
        // An ended link gives its last packets 250 ms; this clock stands still.
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => (o.MaxPacketBytes, o.TimeProvider) = (64 << 10, new ManualClock()));
        await using RawPeer rawPeer = peer;
        int valid = 0;
        main.Start(new PacketRouter().OnRaw(2000, _ => valid++).On(TestPackets.Numbered,
            (Action<Numbered>)(_ => Assert.Fail("not a Numbered"))).On(TestPackets.Text, (Action<string>)(_ => Assert.Fail("not a text"))));
        peer.SendBytes([.. Valid, .. bytes]);
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(fault), end.ToString());
        Assert.That(end.Reason, Is.Not.Empty);
        Assert.That(valid, Is.EqualTo(1), "what was valid is delivered");
        Assert.That(end.Receipt.Taken, Is.EqualTo(1));
        List<RawFrame> reported = await peer.ReadToEndAsync();
        RawFrame? goodbye = reported.LastOrDefault(f => f.Type == RawPeer.Goodbye);
        Assert.That(goodbye, Is.Not.Null, "the peer is notified");
        Assert.That(goodbye!.Map["reason"], Is.EqualTo(fault.ToString()).Or.Empty);
        Assert.That((goodbye.Map.TryGetValue("detail", out object? detail), detail),
            Is.EqualTo((true, (object)end.Reason)).Or.EqualTo((false, (object?)null)));
        Assert.That(detail is not null, Is.EqualTo(Equals(goodbye.Map["reason"], fault.ToString())),
            "the detail goes with the fault's name");
    }

    [TestCase(0)]
    [TestCase(5)]
    [TestCase(10)]
    public async Task An_end_of_the_stream_without_Goodbye_is_peer_gone_also_inside_a_frame(int bytes)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        int valid = 0;
        main.Start(new PacketRouter().OnRaw(2000, _ => valid++));
        peer.SendBytes([.. Valid, .. Valid.Take(bytes)]);
        peer.Wire.Shutdown();
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.PeerGone), end.ToString());
        Assert.That(valid, Is.EqualTo(1));
    }

    [TestCase("FrameCorrupt", TransportFault.FrameCorrupt)]
    [TestCase("HandlerFailed", TransportFault.HandlerFailed)]
    [TestCase("Timeout", TransportFault.Timeout)]
    [TestCase("PacketTooLarge", TransportFault.PacketTooLarge)]
    public async Task A_fault_that_the_peer_found_is_its_name(string reason, TransportFault fault)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        peer.SendGoodbye(17, reason);
        Assert.That((await main.Completion.Within("the end")).Fault, Is.EqualTo(fault), "its count is not judged");
    }

    [Promise("Trust", "No memory is allocated for a length that a peer only claims.")]
    [Test]
    public async Task Nothing_is_allocated_for_what_was_only_claimed()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        long before = main.Counters.BytesReceived;
        byte[] begun = RawFrame.Bytes(2, 2000, new byte[65_536]).AsSpan(0, 20).ToArray();
        peer.SendBytes(begun);
        Assert.That(SpinWait.SpinUntil(() => main.Counters.BytesReceived == before + 20, WithinExtensions.Bound), Is.True);
        int least = PoolKinds.Usual == PoolKinds.Own ? 16 << 10 : RecyclableBufferSource.BlockSize;
        Assert.That(peer.Pool.HeldBytes, Is.LessThanOrEqualTo(least));
    }
}
