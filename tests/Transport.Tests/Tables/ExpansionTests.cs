using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using NUnit.Framework;
using Transport.Testing.Links;

namespace Transport.Tests.Tables;

/// <summary>A body is asked for, whose references are written out: what a store, a journal or a forwarder sees.</summary>
internal sealed class ExpansionTests
{
    private const int MaxPacket = 8 << 20;
    private const ushort Strings = 259, Maps = 260, Build = 520;

    [TestCase(62, true)]
    [TestCase(63, false)]
    public void A_map_is_as_deep_in_a_packet_as_if_it_stood_there(int around, bool fits)
    {
        // The map holds an array: two more than the arrays around it.
        LaneTables tables = Tables();
        tables.Take(tables.Checked(Packet(Maps, [0x91, 0x92, 7, 0x81, 0xa1, (byte)'k', 0x91, 1])));
        RawPacket packet = tables.Checked(Packet(Build, [.. Enumerable.Repeat((byte)0x91, around), 0xd4, 2, 7]));
        if (fits)
        {
            Assert.That(packet.Body.ToArray(),
                Is.EqualTo((byte[])[.. Enumerable.Repeat((byte)0x91, around), 0x81, 0xa1, (byte)'k', 0x91, 1]));
        }
        else
        {
            PacketLease lease = packet.Lease();
            for (int time = 0; time < 2; time++)
            {
                var e = Assert.Throws<TransportException>(() => _ = lease.Packet.Body);
                Assert.That(e!.Fault, Is.EqualTo(TransportFault.PacketMalformed));
                Assert.That(e.Message, Does.Contain("nested at most 64 deep"));
            }
        }
    }

    [Test]
    public void Texts_of_every_length_and_script_are_written_out_beside_the_end_of_what_is_kept()
    {
        // The buffer is kept from packet to packet, so each size meets another rest of it: headers of 1, 2, 3 and 5 bytes, texts of 1 to 3
        // bytes a character.
        LaneTables tables = Tables();
        string[] texts = [.. from length in new[] { 4, 10, 11, 31, 32, 85, 86, 255, 256, 21_845, 21_846, 65_535,
            65_536 } from c in "aé€" select new string(c, length)];
        for (int i = 0; i < texts.Length; i++)
        {
            tables.Take(tables.Checked(Packet(Strings, [0x91, 0x92, (byte)i, .. Encoded(texts[i])])));
        }

        for (int i = 0; i < texts.Length; i++)
        {
            RawPacket packet = tables.Checked(Packet(Build, [0x93, 0xd4, 1, (byte)i, 0xc3, 0xd4, 1, (byte)(texts.Length - 1 - i)]));
            Assert.That(packet.Body.SequenceEqual((byte[])[0x93, .. Encoded(texts[i]), 0xc3, .. Encoded(texts[texts.Length - 1 - i])]),
                Is.True, $"text {i}");
        }
    }

    [Test]
    public void A_packet_that_is_smaller_written_out_is_judged_by_that_size()
    {
        // A text of 20 characters, then the empty one ten times: three bytes each as they come, one each written out. Measured, because
        // nothing is kept yet.
        byte[] text = Encoded(new string('a', 20)),
            came = [0x9b, 0xd4, 1, 1, .. Enumerable.Repeat(new byte[] { 0xd4, 1, 0 }, 10).SelectMany(r => r)];
        byte[] whole = [0x9b, .. text, .. Enumerable.Repeat((byte)0xa0, 10)];
        foreach (int most in new[] { whole.Length - 1, whole.Length })
        {
            var tables = new LaneTables(new TableCaps(true, true, true), most);
            tables.Take(tables.Checked(Packet(Strings, [0x92, 0x92, 0, 0xa0, 0x92, 1, .. text])));
            RawPacket packet = tables.Checked(Packet(Build, came));
            if (most == whole.Length)
            {
                Assert.That(packet.Body.ToArray(), Is.EqualTo(whole));
            }
            else
            {
                PacketLease lease = packet.Lease();
                Assert.That(() => lease.Packet.ToArray(), Throws.InstanceOf<TransportException>().With.Property(nameof(TransportException.Fault))
                    .EqualTo(TransportFault.PacketTooLarge));
            }
        }
    }

#if NET
    [Test]
    public void Packets_of_a_megabyte_are_written_out_into_the_same_bytes()
    {
        // A main node with a journal made a new array for each packet of over 64 KiB, on the large object heap: a third of what the journal
        // cost.
        LaneTables tables = Tables();
        tables.Take(tables.Checked(Packet(Maps, [0x91, 0x92, 0, 0x81, 0xa1, (byte)'k', 0xc5, 0x40, 0x00, .. new byte[16 << 10]])));
        RawPacket came = Packet(Build, [0xdc, 0, 60, .. Enumerable.Repeat(new byte[] { 0xd4, 2, 0 }, 60).SelectMany(r => r)]);
        long allocated = 0;
        for (int round = 0; round < 10; round++)
        {
            RawPacket packet = tables.Checked(came);
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.That(packet.Body.Length, Is.EqualTo(3 + (60 * (6 + (16 << 10)))));
            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Assert.That(allocated, Is.LessThan(16 << 10), "in the last of 10 rounds, the assertion's own included");
    }
#endif

    private static LaneTables Tables() => new(new TableCaps(true, true, true), MaxPacket);

    private static byte[] Encoded(string text)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(text);
        int n = utf8.Length;
        byte[] header = n <= 31 ? [(byte)(0xa0 | n)] : n <= 255 ? [0xd9, (byte)n] : n <= 65_535 ? [0xda, (byte)(n >> 8), (byte)n]
            : [0xdb, 0, (byte)(n >> 16), (byte)(n >> 8), (byte)n];
        return [.. header, .. utf8];
    }

    private static RawPacket Packet(ushort type, IEnumerable<byte> body) => new(type, Lane.Normal, body.ToArray());
}
