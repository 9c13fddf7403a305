using System;
using System.Linq;
using System.Text;
using NUnit.Framework;
using static Transport.Tests.Packets.Packed;

namespace Transport.Tests.Packets;

public sealed class PacketWriterTests
{
    private const string HighHalf = "\ud83d";
    private const string Face = "\ud83d\ude00";

    [TestCase(0L, "00")]
    [TestCase(127L, "7f")]
    [TestCase(128L, "cc80")]
    [TestCase(255L, "ccff")]
    [TestCase(256L, "cd0100")]
    [TestCase(65535L, "cdffff")]
    [TestCase(65536L, "ce00010000")]
    [TestCase(4294967295L, "ceffffffff")]
    [TestCase(4294967296L, "cf0000000100000000")]
    [TestCase(long.MaxValue, "cf7fffffffffffffff")]
    [TestCase(-1L, "ff")]
    [TestCase(-32L, "e0")]
    [TestCase(-33L, "d0df")]
    [TestCase(-128L, "d080")]
    [TestCase(-129L, "d1ff7f")]
    [TestCase(-32768L, "d18000")]
    [TestCase(-32769L, "d2ffff7fff")]
    [TestCase(-2147483648L, "d280000000")]
    [TestCase(-2147483649L, "d3ffffffff7fffffff")]
    [TestCase(long.MinValue, "d38000000000000000")]
    public void An_integer_takes_its_shortest_form(long value, string hex) =>
        Assert.That(HexBy((ref PacketWriter w) => w.WriteInt(value)), Is.EqualTo(hex));

    [TestCase(0UL, "00")]
    [TestCase(127UL, "7f")]
    [TestCase(128UL, "cc80")]
    [TestCase(65536UL, "ce00010000")]
    [TestCase(ulong.MaxValue, "cfffffffffffffffff")]
    public void An_unsigned_integer_takes_its_shortest_form(ulong value, string hex) =>
        Assert.That(HexBy((ref PacketWriter w) => w.WriteUInt(value)), Is.EqualTo(hex));

    [Test]
    public void Nil_booleans_and_floats_have_one_form()
    {
        Assert.That(HexBy((ref PacketWriter w) => w.WriteNil()), Is.EqualTo("c0"));
        Assert.That(HexBy((ref PacketWriter w) => w.WriteBoolean(false)), Is.EqualTo("c2"));
        Assert.That(HexBy((ref PacketWriter w) => w.WriteBoolean(true)), Is.EqualTo("c3"));
        Assert.That(HexBy((ref PacketWriter w) => w.WriteDouble(1.5)), Is.EqualTo("cb3ff8000000000000"));
        Assert.That(HexBy((ref PacketWriter w) => w.WriteDouble(-0.0)), Is.EqualTo("cb8000000000000000"));
        Assert.That(HexBy((ref PacketWriter w) => w.WriteSingle(1.5f)), Is.EqualTo("ca3fc00000"));
    }

    [TestCase(0, "90", "80")]
    [TestCase(15, "9f", "8f")]
    [TestCase(16, "dc0010", "de0010")]
    [TestCase(65535, "dcffff", "deffff")]
    [TestCase(65536, "dd00010000", "df00010000")]
    [TestCase(int.MaxValue, "dd7fffffff", "df7fffffff")]
    public void A_container_header_takes_its_shortest_form(int count, string array, string map)
    {
        Assert.That(HexBy((ref PacketWriter w) => w.WriteArrayHeader(count)), Is.EqualTo(array));
        Assert.That(HexBy((ref PacketWriter w) => w.WriteMapHeader(count)), Is.EqualTo(map));
    }

    [Test]
    public void A_negative_count_is_refused()
    {
        Assert.That(() => By((ref PacketWriter w) => w.WriteArrayHeader(-1)), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(() => By((ref PacketWriter w) => w.WriteMapHeader(-1)), Throws.InstanceOf<ArgumentOutOfRangeException>());
    }

    [TestCase(0, "a0")]
    [TestCase(31, "bf")]
    [TestCase(32, "d920")]
    [TestCase(255, "d9ff")]
    [TestCase(256, "da0100")]
    [TestCase(65535, "daffff")]
    [TestCase(65536, "db00010000")]
    public void A_text_of_n_bytes_has_the_shortest_header(int bytes, string header)
    {
        // The same bytes as ASCII, as two-byte and as three-byte characters, filled up with ASCII: the writer must guess each time anew.
        foreach (char c in "aé€")
        {
            int each = Encoding.UTF8.GetByteCount([c]);
            string text = new string(c, bytes / each) + new string('x', bytes % each);
            byte[] expected = Bytes(header).Concat(Encoding.UTF8.GetBytes(text)).ToArray();
            foreach (int piece in new[] { 32, 33, 64, 97, 4096, 1 << 20 })
            {
                Assert.That(By((ref PacketWriter w) => w.WriteString(text), piece), Is.EqualTo(expected), $"{c} in pieces of {piece}");
                Assert.That(By((ref PacketWriter w) => w.WriteUtf8(Encoding.UTF8.GetBytes(text)), piece), Is.EqualTo(expected),
                    $"UTF-8 of {c} in pieces of {piece}");
            }
        }
    }

    [Test]
    public void A_text_may_be_null_or_empty()
    {
        Assert.That(HexBy((ref PacketWriter w) => w.WriteString(null)), Is.EqualTo("c0"));
        Assert.That(HexBy((ref PacketWriter w) => w.WriteString(string.Empty)), Is.EqualTo("a0"));
        Assert.That(HexBy((ref PacketWriter w) => w.WriteString(ReadOnlySpan<char>.Empty)), Is.EqualTo("a0"));
        Assert.That(HexBy((ref PacketWriter w) => w.WriteUtf8([])), Is.EqualTo("a0"));
    }

    [Test]
    public void A_surrogate_without_its_half_becomes_the_replacement_character()
    {
        foreach (string text in new[] { HighHalf, "a" + HighHalf, HighHalf + "a", "\ude00", "\ude00" + HighHalf, HighHalf + HighHalf
            + "\ude00" })
        {
            byte[] expected = Encoding.UTF8.GetBytes(text);
            Assert.That(By((ref PacketWriter w) => w.WriteString(text)).Skip(1), Is.EqualTo(expected));
        }

        Assert.That(HexBy((ref PacketWriter w) => w.WriteString(HighHalf)), Is.EqualTo("a3efbfbd"));
    }

    [Test]
    public void Surrogate_pairs_stay_whole_wherever_a_piece_ends()
    {
        for (int before = 0; before < 12; before++)
        {
            string text = new string('a', before) + string.Concat(Enumerable.Repeat(Face, 40)) + HighHalf;
            byte[] expected = Encoding.UTF8.GetBytes(text);
            for (int piece = 32; piece < 45; piece++)
            {
                Assert.That(By((ref PacketWriter w) => w.WriteString(text), piece).Skip(2), Is.EqualTo(expected),
                    $"{before} before, pieces of {piece}");
            }
        }
    }

    [TestCase(0, "c400")]
    [TestCase(255, "c4ff")]
    [TestCase(256, "c50100")]
    [TestCase(65535, "c5ffff")]
    [TestCase(65536, "c600010000")]
    public void Bytes_have_the_shortest_header(int length, string header)
    {
        byte[] bytes = Enumerable.Range(0, length).Select(i => (byte)i).ToArray();
        Assert.That(By((ref PacketWriter w) => w.WriteBin(bytes)), Is.EqualTo(Bytes(header).Concat(bytes)));
        Assert.That(By((ref PacketWriter w) => w.WriteBin(bytes), 32), Is.EqualTo(Bytes(header).Concat(bytes)));
    }

    [TestCase(0, "c70005")]
    [TestCase(1, "d405")]
    [TestCase(2, "d505")]
    [TestCase(3, "c70305")]
    [TestCase(4, "d605")]
    [TestCase(8, "d705")]
    [TestCase(16, "d805")]
    [TestCase(17, "c71105")]
    [TestCase(255, "c7ff05")]
    [TestCase(256, "c8010005")]
    [TestCase(65535, "c8ffff05")]
    [TestCase(65536, "c90001000005")]
    public void An_extension_has_the_shortest_header(int length, string header)
    {
        byte[] bytes = Enumerable.Range(0, length).Select(i => (byte)i).ToArray();
        Assert.That(By((ref PacketWriter w) => w.WriteExt(5, bytes), 32), Is.EqualTo(Bytes(header).Concat(bytes)));
    }

    [TestCase("1970-01-01T00:00:00Z", "d6ff00000000")]
    [TestCase("2106-02-07T06:28:15Z", "d6ffffffffff")]
    [TestCase("2106-02-07T06:28:16Z", "d7ff0000000100000000")]
    [TestCase("1970-01-01T00:00:00.0000001Z", "d7ff0000019000000000")]
    [TestCase("2514-05-30T01:53:03.9999999Z", "d7ffee6b2673ffffffff")]
    [TestCase("2514-05-30T01:53:04Z", "c70cff000000000000000400000000")]
    [TestCase("1969-12-31T23:59:59.9999999Z", "c70cff3b9ac99cffffffffffffffff")]
    [TestCase("0001-01-01T00:00:00Z", "c70cff00000000fffffff1886e0900")]
    [TestCase("9999-12-31T23:59:59.9999999Z", "c70cff3b9ac99c0000003afff4417f")]
    [TestCase("2026-01-01T02:00:00+02:00", "d6ff6955b900")]
    public void A_time_takes_its_shortest_form_in_UTC(string time, string hex)
    {
        DateTimeOffset value = DateTimeOffset.Parse(time, System.Globalization.CultureInfo.InvariantCulture);
        byte[] bytes = By((ref PacketWriter w) => w.WriteTimestamp(value));
        Assert.That(Hex(bytes), Is.EqualTo(hex));
        DateTimeOffset back = new PacketReader(bytes).ReadTimestamp();
        Assert.That(back, Is.EqualTo(value));
        Assert.That(back.Offset, Is.EqualTo(TimeSpan.Zero));
    }

    [Test]
    public void A_text_of_5_MB_crosses_small_spans_and_never_asks_for_large_ones()
    {
        string text = string.Concat(Enumerable.Repeat("0123456789 äöü " + Face, 260_000));
        var pieces = new Pieces(4096);
        var writer = new PacketWriter(pieces);
        writer.WriteArrayHeader(2);
        writer.WriteString(text);
        writer.WriteBin(new byte[5 << 20]);
        writer.Flush();
        Assert.That(pieces.LargestHint, Is.LessThanOrEqualTo(32));
        var reader = new PacketReader(pieces.ToArray());
        Assert.That(reader.ReadArrayHeader(), Is.EqualTo(2));
        Assert.That(reader.ReadRequiredString() == text, Is.True);
        Assert.That(reader.ReadBin().Length, Is.EqualTo(5 << 20));
        Assert.That(reader.AtEnd, Is.True);
    }

    [Test]
    public void Every_value_is_the_same_wherever_a_span_ends()
    {
        var time = new DateTimeOffset(1960, 1, 1, 0, 0, 0, TimeSpan.Zero);
        WriteCall[] calls =
        [
            (ref PacketWriter w) => w.WriteString("short"),
            (ref PacketWriter w) => w.WriteString(new string('é', 100)),
            (ref PacketWriter w) => w.WriteUtf8(new byte[70]),
            (ref PacketWriter w) => w.WriteBin(new byte[70]),
            (ref PacketWriter w) => w.WriteExt(5, new byte[70]),
            (ref PacketWriter w) => w.WriteExt(5, new byte[4]),
            (ref PacketWriter w) => w.WriteTimestamp(time),
            (ref PacketWriter w) => w.WriteInt(long.MinValue),
            (ref PacketWriter w) => w.WriteInt(int.MinValue),
            (ref PacketWriter w) => w.WriteInt(300),
            (ref PacketWriter w) => w.WriteInt(-100),
            (ref PacketWriter w) => w.WriteDouble(1.5),
            (ref PacketWriter w) => w.WriteArrayHeader(70_000),
            (ref PacketWriter w) => w.WriteMapHeader(300),
        ];
        for (int call = 0; call < calls.Length; call++)
        {
            byte[] alone = By(calls[call]);
            for (int before = 0; before <= 33; before++)
            {
                byte[] both = By(
                    (ref PacketWriter w) =>
                    {
                        w.WriteRaw(new byte[before]);
                        calls[call](ref w);
                    },
                    pieceSize: 32);
                Assert.That(both.Skip(before), Is.EqualTo(alone), $"call {call} behind {before} bytes");
            }
        }
    }

    [Test]
    public void The_writer_goes_on_after_a_flush_and_raw_values_are_copied()
    {
        byte[] bytes = By((ref PacketWriter w) =>
        {
            w.WriteArrayHeader(3);
            w.Flush();
            w.WriteInt(1);
            w.Flush();
            w.Flush();
            w.WriteRaw(Bytes("a26162"));
            w.WriteString("c");
        });
        Assert.That(Hex(bytes), Is.EqualTo("9301a26162a163"));
    }

    [Test]
    public void A_writer_needs_a_buffer() =>
        Assert.That(() => { _ = new PacketWriter(null!); }, Throws.ArgumentNullException);
}
