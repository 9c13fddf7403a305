using System;
using System.Buffers;
using System.Text;
using NUnit.Framework;
using static Transport.Tests.Packets.Packed;

namespace Transport.Tests.Packets;

public sealed class PacketReaderTests
{
    [TestCase("05", 5L)]
    [TestCase("cc05", 5L)]
    [TestCase("cd0005", 5L)]
    [TestCase("ce00000005", 5L)]
    [TestCase("cf0000000000000005", 5L)]
    [TestCase("d005", 5L)]
    [TestCase("d10005", 5L)]
    [TestCase("d200000005", 5L)]
    [TestCase("d30000000000000005", 5L)]
    [TestCase("ff", -1L)]
    [TestCase("d0ff", -1L)]
    [TestCase("d1ffff", -1L)]
    [TestCase("d2ffffffff", -1L)]
    [TestCase("d3ffffffffffffffff", -1L)]
    [TestCase("cf7fffffffffffffff", long.MaxValue)]
    [TestCase("d38000000000000000", long.MinValue)]
    [TestCase("ceffffffff", 4294967295L)]
    public void Every_encoding_of_an_integer_is_taken(string hex, long value)
    {
        byte[] bytes = Bytes(hex);
        var reader = new PacketReader(bytes);
        Assert.That(reader.PeekKind(), Is.EqualTo(PacketValueKind.Integer));
        Assert.That(reader.ReadInt64(), Is.EqualTo(value));
        Assert.That(reader.AtEnd, Is.True);
        Assert.That(new PacketReader(bytes).ReadDouble(), Is.EqualTo((double)value));
        if (value >= 0)
        {
            Assert.That(new PacketReader(bytes).ReadUInt64(), Is.EqualTo((ulong)value));
        }

        if (value is >= int.MinValue and <= int.MaxValue)
        {
            Assert.That(new PacketReader(bytes).ReadInt32(), Is.EqualTo((int)value));
        }
    }

    [Test]
    public void The_narrow_integers_keep_their_range()
    {
        Assert.That(new PacketReader(Bytes("cdffff")).ReadUInt16(), Is.EqualTo(65535));
        Assert.That(new PacketReader(Bytes("ceffffffff")).ReadUInt32(), Is.EqualTo(uint.MaxValue));
        Assert.That(new PacketReader(Bytes("cfffffffffffffffff")).ReadUInt64(), Is.EqualTo(ulong.MaxValue));
        Assert.That(FaultOf(Bytes("ce00010000"), (ref PacketReader r) => r.ReadUInt16()), Does.Contain("from 0 to 65535, got 65536"));
        Assert.That(FaultOf(Bytes("ff"), (ref PacketReader r) => r.ReadUInt16()), Does.Contain("got -1"));
        Assert.That(FaultOf(Bytes("cf0000000100000000"), (ref PacketReader r) => r.ReadUInt32()), Does.Contain("got 4294967296"));
        Assert.That(FaultOf(Bytes("ce80000000"), (ref PacketReader r) => r.ReadInt32()), Does.Contain("got 2147483648"));
        Assert.That(FaultOf(Bytes("cf8000000000000000"), (ref PacketReader r) => r.ReadInt64()), Does.Contain("got 9223372036854775808"));
        Assert.That(FaultOf(Bytes("d0ff"), (ref PacketReader r) => r.ReadUInt64()), Does.Contain("got -1"));
    }

    [Test]
    public void Numbers_of_both_sizes_and_integers_are_read_as_double()
    {
        Assert.That(new PacketReader(Bytes("ca3fc00000")).ReadDouble(), Is.EqualTo(1.5));
        Assert.That(new PacketReader(Bytes("cb3ff8000000000000")).ReadDouble(), Is.EqualTo(1.5));
        Assert.That(new PacketReader(Bytes("cfffffffffffffffff")).ReadDouble(), Is.EqualTo(18446744073709551615.0));
    }

    [TestCase("a3616263")]
    [TestCase("d903616263")]
    [TestCase("da0003616263")]
    [TestCase("db00000003616263")]
    public void Every_encoding_of_a_text_is_taken(string hex)
    {
        var reader = new PacketReader(Bytes(hex));
        Assert.That(reader.PeekKind(), Is.EqualTo(PacketValueKind.String));
        Assert.That(reader.ReadString(), Is.EqualTo("abc"));
        Assert.That(reader.AtEnd, Is.True);
        Assert.That(Encoding.UTF8.GetString(new PacketReader(Bytes(hex)).ReadUtf8().ToArray()), Is.EqualTo("abc"));
    }

    [TestCase("c403010203")]
    [TestCase("c50003010203")]
    [TestCase("c600000003010203")]
    public void Every_encoding_of_bytes_is_taken(string hex) =>
        Assert.That(new PacketReader(Bytes(hex)).ReadBin().ToArray(), Is.EqualTo(new byte[] { 1, 2, 3 }));

    [TestCase("d60501020304")]
    [TestCase("c7040501020304")]
    [TestCase("c800040501020304")]
    [TestCase("c9000000040501020304")]
    public void Every_encoding_of_an_extension_is_taken(string hex)
    {
        var reader = new PacketReader(Bytes(hex));
        Assert.That(reader.PeekKind(), Is.EqualTo(PacketValueKind.Extension));
        Assert.That(reader.ReadExt(out sbyte type).ToArray(), Is.EqualTo(new byte[] { 1, 2, 3, 4 }));
        Assert.That(type, Is.EqualTo(5));
        Assert.That(reader.AtEnd, Is.True);
    }

    [TestCase("d6ff6955b900")]
    [TestCase("c704ff6955b900")]
    [TestCase("d7ff000000006955b900")]
    [TestCase("c70cff00000000000000006955b900")]
    [TestCase("c8000cff00000000000000006955b900")]
    public void Every_encoding_of_a_time_is_taken(string hex) =>
        Assert.That(new PacketReader(Bytes(hex)).ReadTimestamp(), Is.EqualTo(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero)));

    [TestCase("d605 00000000", "extension 5")]
    [TestCase("c703ff 000000", "3 bytes")]
    [TestCase("d7ff ee6b280000000000", "1000000000 nanoseconds")]
    [TestCase("c70cff 3b9aca00 0000000000000000", "1000000000 nanoseconds")]
    [TestCase("c70cff 00000000 0000003afff44180", "second 253402300800")]
    [TestCase("c70cff 00000000 fffffff1886e08ff", "second -62135596801")]
    [TestCase("c70cff 00000000 8000000000000000", "second -9223372036854775808")]
    [TestCase("00", "positive fixint (0x00)")]
    public void A_time_out_of_range_is_malformed(string hex, string came) =>
        Assert.That(FaultOf(Bytes(hex), (ref PacketReader r) => r.ReadTimestamp()), Does.Contain("expected a timestamp").And.Contain(came));

    [TestCase("92c0c0", 2)]
    [TestCase("dc0002c0c0", 2)]
    [TestCase("dd00000002c0c0", 2)]
    [TestCase("90", 0)]
    public void Every_encoding_of_an_array_header_is_taken(string hex, int count)
    {
        Assert.That(new PacketReader(Bytes(hex)).ReadArrayHeader(), Is.EqualTo(count));
        Assert.That(new PacketReader(Bytes(hex)).TryReadArrayHeader(out int same), Is.True);
        Assert.That(same, Is.EqualTo(count));
    }

    [TestCase("81a16101", 1)]
    [TestCase("de0001a16101", 1)]
    [TestCase("df00000001a16101", 1)]
    public void Every_encoding_of_a_map_header_is_taken(string hex, int count)
    {
        Assert.That(new PacketReader(Bytes(hex)).ReadMapHeader(), Is.EqualTo(count));
        Assert.That(new PacketReader(Bytes(hex)).TryReadMapHeader(out int same), Is.True);
        Assert.That(same, Is.EqualTo(count));
    }

    [Test]
    public void Nil_is_taken_only_where_it_may_stand()
    {
        byte[] nil = [0xc0];
        Assert.That(new PacketReader(nil).ReadString(), Is.Null);
        Assert.That(new PacketReader(nil).TryReadArrayHeader(out int none), Is.False);
        Assert.That(none, Is.Zero);
        Assert.That(new PacketReader(nil).TryReadMapHeader(out none), Is.False);
        Assert.That(new PacketReader(nil).TryReadNil(), Is.True);
        Assert.That(new PacketReader([]).TryReadNil(), Is.False);
        Assert.That(FaultOf(nil, (ref PacketReader r) => r.ReadRequiredString()), Does.Contain("expected a string, got nil (0xc0)"));
        Assert.That(FaultOf(nil, (ref PacketReader r) => r.ReadArrayHeader()), Does.Contain("expected an array, got nil"));
        Assert.That(FaultOf(nil, (ref PacketReader r) => r.ReadMapHeader()), Does.Contain("expected a map, got nil"));
        Assert.That(FaultOf([0x01], (ref PacketReader r) => r.ReadNil()), Does.Contain("expected nil, got positive fixint (0x01)"));
    }

    [Test]
    public void Unknown_elements_at_the_end_are_passed_over()
    {
        var reader = new PacketReader(Bytes("95 01 02 92a161c0 81a162c3 ca3fc00000 07"));
        int count = reader.ReadArrayHeader(atLeast: 2);
        Assert.That(reader.ReadInt32() + reader.ReadInt32(), Is.EqualTo(3));
        reader.Skip(count - 2);
        Assert.That(reader.ReadInt32(), Is.EqualTo(7), "the value behind the array");
        Assert.That(FaultOf(Bytes("9101"), (ref PacketReader r) => r.ReadArrayHeader(2)),
            Is.EqualTo("At byte 0 of the body: expected an array of at least 2 elements, got one of 1."));
    }

    [Test]
    public void A_raw_value_is_given_whole()
    {
        var reader = new PacketReader(Bytes("92a161c0 01"));
        Assert.That(Hex(reader.ReadRaw().ToArray()), Is.EqualTo("92a161c0"));
        Assert.That(reader.Remaining, Is.EqualTo(1));
        Assert.That(reader.Consumed, Is.EqualTo(4));
    }

    [Test]
    public void Kinds_are_reported_for_every_first_byte()
    {
        for (int code = 0; code < 256; code++)
        {
            byte[] body = [(byte)code];
            if (code == 0xc1)
            {
                Assert.That(FaultOf(body, (ref PacketReader r) => r.PeekKind()), Does.Contain("never uses"));
                continue;
            }

            PacketValueKind expected = code switch
            {
                < 0x80 or >= 0xe0 or (>= 0xcc and <= 0xd3) => PacketValueKind.Integer,
                < 0x90 or 0xde or 0xdf => PacketValueKind.Map,
                < 0xa0 or 0xdc or 0xdd => PacketValueKind.Array,
                < 0xc0 or 0xd9 or 0xda or 0xdb => PacketValueKind.String,
                0xc0 => PacketValueKind.Nil,
                0xc2 or 0xc3 => PacketValueKind.Boolean,
                0xc4 or 0xc5 or 0xc6 => PacketValueKind.Binary,
                0xca or 0xcb => PacketValueKind.Float,
                _ => PacketValueKind.Extension,
            };
            Assert.That(new PacketReader(body).PeekKind(), Is.EqualTo(expected), $"0x{code:x2}");
        }
    }

    [Test]
    public void A_body_in_several_segments_is_read_as_one()
    {
        byte[] body = Bytes("93a568656c6c6fcd012cc3");
        var last = new Segment(body.AsMemory(4), 4);
        var sequence = new ReadOnlySequence<byte>(new Segment(body.AsMemory(0, 4), 0, last), 0, last, body.Length - 4);
        Assert.That(sequence.IsSingleSegment, Is.False);
        var reader = new PacketReader(sequence);
        Assert.That(reader.ReadArrayHeader(), Is.EqualTo(3));
        Assert.That(reader.ReadString(), Is.EqualTo("hello"));
        Assert.That(reader.ReadInt32(), Is.EqualTo(300));
        Assert.That(reader.ReadBoolean(), Is.True);
        Assert.That(new PacketReader(new ReadOnlySequence<byte>(body)).ReadArrayHeader(), Is.EqualTo(3));
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, long index, Segment? next = null)
        {
            Memory = memory;
            RunningIndex = index;
            Next = next;
        }
    }
}
