using System.Collections.Generic;
using System.Linq;
using System.Text;
using NUnit.Framework;
using Transport.Testing.Links;

namespace Transport.Tests.Tables;

/// <summary>A peer that uses the tables to make three bytes stand for megabytes: what is written out for it has the limit of any
/// packet.</summary>
internal sealed class HostileTablesTests
{
    private const int MaxPacket = 1 << 20;
    private const ushort Maps = 260, Build = 520;

    [Test]
    public void A_thousand_references_to_one_large_map_are_not_written_out()
    {
        // 200 MB out of 103 kB; without a limit on maps the sum had none at all. Found by reading for the fuzzer's bound on allocation.
        var tables = new LaneTables(new TableCaps(true, true, true), MaxPacket);
        tables.Take(tables.Checked(Packet(Maps, [0x91, 0x92, 0, 0x81, 0xa1, (byte)'k', 0xc5, 0xc3, 0x50, .. new byte[50_000]])));
        RawPacket packet = tables.Checked(
            Packet(Build, [0xdc, 0x0f, 0xa0, .. Enumerable.Repeat(new byte[] { 0xd4, 2, 0 }, 4_000).SelectMany(r => r)]));
        PacketLease lease = packet.Lease();
        var e = Assert.Throws<TransportException>(() => _ = lease.Packet.Body);
        Assert.That(e!.Fault, Is.EqualTo(TransportFault.PacketTooLarge));
        Assert.That(e.Message, Does.Contain("1048576 bytes (LinkOptions.MaxPacketBytes)"));
    }

    [TestCase(MaxPacket, true)]
    [TestCase(MaxPacket + 1, false)]
    public void What_is_written_out_has_exactly_the_limit_of_a_packet(int size, bool fits)
    {
        var tables = new LaneTables(new TableCaps(true, true, true), MaxPacket);
        const int Text = 60_000;
        tables.Take(tables.Checked(Packet(259, [0x91, 0x92, 0, 0xda, Text >> 8, Text & 0xff, .. Enumerable.Repeat((byte)'x', Text)])));
        int around = 3 + Text + 6;   // the text with its header; the array of 2, bin 32 with its header
        int padding = size - around;
        RawPacket packet = tables.Checked(
            Packet(Build, [0x92, 0xd4, 1, 0, 0xc6, 0, (byte)(padding >> 16), (byte)(padding >> 8), (byte)padding, .. new byte[padding]]));
        if (fits)
        {
            Assert.That(packet.Body.Length, Is.EqualTo(size));
        }
        else
        {
            PacketLease lease = packet.Lease();
            Assert.That(Assert.Throws<TransportException>(() => _ = lease.Packet.Body)!.Fault, Is.EqualTo(TransportFault.PacketTooLarge));
        }
    }

    [TestCase(58, true)]
    [TestCase(59, false)]
    public void Maps_that_a_packet_reads_anew_have_at_most_the_bytes_of_a_packet(int references, bool fits)
    {
        var tables = new LaneTables(new TableCaps(true, true, true), MaxPacket);
        byte[] pairs = [.. Enumerable.Range(0, 3000).SelectMany(i => (byte[])[0xa4, .. Encoding.ASCII.GetBytes($"{i:0000}"), 7])];
        tables.Take(tables.Checked(Packet(Maps, [0x91, 0x92, 0, 0xde, 3000 >> 8, 3000 & 0xff, .. pairs])));
        tables.Take(tables.Checked(Packet(261, [0x91, 0xcd, 0x04, 0x01])));
        IEnumerable<byte> same = Enumerable.Repeat(new byte[] { 0xd4, 2, 0 }, references).SelectMany(r => r);
        RawPacket packet = tables.Attached(Packet(1025, [0x91, 0xdc, 0, (byte)references, .. same]));
        if (fits)
        {
            Mapped mapped = packet.Read(Mapped.PacketType);
            Assert.That(mapped.Maps, Has.Count.EqualTo(references));
            Assert.That(mapped.Maps[0], Is.Not.SameAs(mapped.Maps[1]).And.Count.EqualTo(3000));
        }
        else
        {
            PacketLease lease = packet.Lease();
            var fault = Assert.Throws<TransportException>(() => lease.Packet.Read(Mapped.PacketType));
            Assert.That(fault!.Fault, Is.EqualTo(TransportFault.PacketMalformed));
            Assert.That(fault.Message, Does.Contain("maps of the link's table of at most 1048576 bytes in one packet"));
        }
    }

    [Test]
    public void A_map_of_the_table_that_is_not_what_its_field_needs_is_malformed_at_its_reference()
    {
        var tables = new LaneTables(new TableCaps(true, true, true), MaxPacket);
        tables.Take(tables.Checked(Packet(Maps, [0x91, 0x92, 9, 0x81, 0xa1, (byte)'k', 0xa1, (byte)'v'])));
        tables.Take(tables.Checked(Packet(261, [0x91, 0xcd, 0x04, 0x01])));
        var fault = Assert.Throws<TransportException>(
            () => tables.Attached(Packet(1025, [0x91, 0x91, 0xd4, 2, 9])).Read(Mapped.PacketType));
        const string Words = "Mapped.Maps: at byte 2 of the body: expected another map in the link's table, got map 9: ";
        Assert.That(fault!.Message, Does.StartWith(Words));
    }

    private static RawPacket Packet(ushort type, IEnumerable<byte> body) => new(type, Lane.Normal, body.ToArray());
}
