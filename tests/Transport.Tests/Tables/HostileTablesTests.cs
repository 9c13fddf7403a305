using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;

namespace Transport.Tests.Tables;

/// <summary>A peer that uses the tables to make three bytes stand for megabytes: what is written out for it has the limit of any packet.</summary>
internal sealed class HostileTablesTests
{
    private const int MaxPacket = 1 << 20;
    private const ushort Maps = 260, Build = 520;

    [Test]
    public void A_thousand_references_to_one_large_map_are_not_written_out()
    {
        // 200 MB out of 103 kB; without a limit on maps the sum had none at all. Found by reading for the fuzzer's bound on allocation.
        var tables = new LaneTables(new TableCaps(true, true, true), MaxPacket);
        tables.Take(tables.Check(Packet(Maps, [0x91, 0x92, 0, 0x81, 0xa1, (byte)'k', 0xc5, 0xc3, 0x50, .. new byte[50_000]])));
        RawPacket packet = tables.Check(Packet(Build, [0xdc, 0x0f, 0xa0, .. Enumerable.Repeat(new byte[] { 0xd4, 2, 0 }, 4_000).SelectMany(r => r)]));
        var e = Assert.Throws<TransportException>(() => _ = packet.Body);
        Assert.That(e!.Fault, Is.EqualTo(TransportFault.PacketTooLarge));
        Assert.That(e.Message, Does.Contain("1048576 bytes (LinkOptions.MaxPacketBytes)"));
    }

    [TestCase(MaxPacket, true)]
    [TestCase(MaxPacket + 1, false)]
    public void What_is_written_out_has_exactly_the_limit_of_a_packet(int size, bool fits)
    {
        var tables = new LaneTables(new TableCaps(true, true, true), MaxPacket);
        const int Text = 60_000;
        tables.Take(tables.Check(Packet(259, [0x91, 0x92, 0, 0xda, Text >> 8, Text & 0xff, .. Enumerable.Repeat((byte)'x', Text)])));
        int around = 3 + Text + 6;   // the text with its header; the array of 2, bin 32 with its header
        int padding = size - around;
        RawPacket packet = tables.Check(Packet(Build, [0x92, 0xd4, 1, 0, 0xc6, 0, (byte)(padding >> 16), (byte)(padding >> 8), (byte)padding, .. new byte[padding]]));
        if (fits)
        {
            Assert.That(packet.Body.Length, Is.EqualTo(size));
        }
        else
        {
            Assert.That(Assert.Throws<TransportException>(() => _ = packet.Body)!.Fault, Is.EqualTo(TransportFault.PacketTooLarge));
        }
    }

    private static RawPacket Packet(ushort type, IEnumerable<byte> body) => new(type, Lane.Normal, body.ToArray());
}
