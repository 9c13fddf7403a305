using System;
using NUnit.Framework;
using static Transport.Tests.Packets.Packed;

namespace Transport.Tests.Packets;

public sealed class MalformedBodyTests
{
    private static readonly object[][] Inputs =
    [
        ["a string at the end of the body", "", (ReadCall)((ref PacketReader r) => r.ReadString()),
            "At byte 0 of the body: expected a string or nil, got the end of the body."],
        ["an integer at the end", "", (ReadCall)((ref PacketReader r) => r.ReadInt64()), "expected an integer, got the end of the body"],
        ["a skip at the end", "", (ReadCall)((ref PacketReader r) => r.Skip()), "expected a value, got the end of the body"],
        ["a boolean that is a number", "01", (ReadCall)((ref PacketReader r) => r.ReadBoolean()),
            "expected true or false, got positive fixint (0x01)"],
        ["an integer that is a text", "a0", (ReadCall)((ref PacketReader r) => r.ReadInt32()), "expected an integer, got fixstr (0xa0)"],
        ["an integer that is a float", "cb0000000000000000", (ReadCall)((ref PacketReader r) => r.ReadInt64()),
            "expected an integer, got float 64 (0xcb)"],
        ["a text that is bin", "c400", (ReadCall)((ref PacketReader r) => r.ReadString()), "expected a string or nil, got bin 8 (0xc4)"],
        ["bin that is a text", "a0", (ReadCall)((ref PacketReader r) => r.ReadBin()), "expected bin, got fixstr"],
        ["an extension that is an array", "90", (ReadCall)((ref PacketReader r) => r.ReadExt(out _)),
            "expected an extension, got fixarray (0x90)"],
        ["a number that is nil", "c0", (ReadCall)((ref PacketReader r) => r.ReadDouble()), "expected a number, got nil"],
        ["half an integer", "cd01", (ReadCall)((ref PacketReader r) => r.ReadInt64()),
            "expected uint 16 of 3 bytes in all, got only 2 bytes"],
        ["half a double", "cb00000000", (ReadCall)((ref PacketReader r) => r.ReadDouble()),
            "expected float 64 of 9 bytes in all, got only 5 bytes"],
        ["half a text header", "da00", (ReadCall)((ref PacketReader r) => r.ReadUtf8()),
            "expected str 16 of 3 bytes in all, got only 2 bytes"],
        ["a text cut short", "a36162", (ReadCall)((ref PacketReader r) => r.ReadRequiredString()),
            "expected fixstr of 4 bytes in all, got only 3 bytes"],
        ["a text of 4 GiB", "dbffffffff61", (ReadCall)((ref PacketReader r) => r.ReadString()),
            "expected str 32 of 4294967300 bytes in all, got only 6 bytes"],
        ["bin of 4 GiB", "c6ffffffff00", (ReadCall)((ref PacketReader r) => r.ReadBin()),
            "expected bin 32 of 4294967300 bytes in all, got only 6 bytes"],
        ["an extension of 4 GiB", "c9ffffffff0100", (ReadCall)((ref PacketReader r) => r.ReadExt(out _)),
            "expected ext 32 of 4294967301 bytes in all, got only 7 bytes"],
        ["an extension cut before its type", "d4", (ReadCall)((ref PacketReader r) => r.ReadExt(out _)),
            "expected fixext 1 of 3 bytes in all, got only 1 bytes"],
        ["an array of 4 billion", "ddffffffffc0", (ReadCall)((ref PacketReader r) => r.ReadArrayHeader()),
            "expected array 32 with 4294967295 values, each at least 1 byte, got only 1 bytes"],
        ["a map of 4 billion", "dfffffffffc0", (ReadCall)((ref PacketReader r) => r.ReadMapHeader()),
            "expected map 32 with 8589934590 values, each at least 1 byte, got only 1 bytes"],
        ["a map of 2 with bytes for 1", "82c0c0c0", (ReadCall)((ref PacketReader r) => r.ReadMapHeader()), "expected fixmap with 4 values"],
        ["an array or nil that is a map", "80", (ReadCall)((ref PacketReader r) => r.TryReadArrayHeader(out _)),
            "expected an array or nil, got fixmap (0x80)"],
        ["a map or nil that is an array", "90", (ReadCall)((ref PacketReader r) => r.TryReadMapHeader(out _)),
            "expected a map or nil, got fixarray (0x90)"],
        ["a text that is no UTF-8", "a2c328", (ReadCall)((ref PacketReader r) => r.ReadString()),
            "expected a string in UTF-8, got 2 bytes that are not"],
        ["a text that ends in the middle of a character", "a2e282", (ReadCall)((ref PacketReader r) => r.ReadString()),
            "expected a string in UTF-8"],
        ["an overlong character", "a2c080", (ReadCall)((ref PacketReader r) => r.ReadString()), "expected a string in UTF-8"],
        ["a surrogate in UTF-8", "a3eda080", (ReadCall)((ref PacketReader r) => r.ReadString()), "expected a string in UTF-8"],
        ["a skip over the byte that is never used", "c1", (ReadCall)((ref PacketReader r) => r.Skip()),
            "a byte that MessagePack never uses (0xc1)"],
        ["a skip of more values than there are", "0102", (ReadCall)((ref PacketReader r) => r.Skip(3)),
            "At byte 2 of the body: expected a value, got the end of the body."],
    ];

    [TestCaseSource(nameof(Inputs))]
    public void It_is_said_where_and_what_was_expected_and_what_came(string what, string hex, object read, string message) =>
        Assert.That(FaultOf(Bytes(hex), (ReadCall)read), Does.Contain(message), what);

    [Test]
    public void A_body_cut_anywhere_is_malformed()
    {
        byte[] body = By((ref PacketWriter w) =>
        {
            w.WriteArrayHeader(8);
            w.WriteString("a text of more than thirty-two bytes, so str 8");
            w.WriteInt(70_000);
            w.WriteDouble(1.5);
            w.WriteBin(new byte[300]);
            w.WriteExt(3, new byte[5]);
            w.WriteTimestamp(new DateTimeOffset(2026, 5, 4, 3, 2, 1, TimeSpan.Zero));
            w.WriteMapHeader(1);
            w.WriteString("k");
            w.WriteBoolean(true);
            w.WriteNil();
        });
        Assert.That(() => MessagePackValue.Check(body), Throws.Nothing);
        for (int length = 0; length < body.Length; length++)
        {
            byte[] cut = body.AsSpan(0, length).ToArray();
            FaultOf(cut, (ref PacketReader r) => r.Skip());
            FaultOf(cut, (ref PacketReader r) =>
            {
                PacketReader copy = r;
                ReadAll(ref copy);
            });
        }
    }

    [Test]
    public void Bytes_at_random_are_read_or_malformed_and_nothing_else()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        int valid = 0;
        for (int round = 0; round < 50_000; round++)
        {
            var body = new byte[random.Next(1, 40)];
            random.NextBytes(body);
            try
            {
                var reader = new PacketReader(body);
                while (!reader.AtEnd)
                {
                    ReadOne(ref reader);
                }

                valid++;
            }
            catch (TransportException e)
            {
                Assert.That(e.Fault, Is.EqualTo(TransportFault.PacketMalformed), $"seed {seed}: {Hex(body)}");
            }
        }

        Assert.That(valid, Is.GreaterThan(100), "some of the bytes are valid");
    }

    private static void ReadAll(ref PacketReader r)
    {
        r.ReadArrayHeader(8);
        r.ReadRequiredString();
        r.ReadInt64();
        r.ReadDouble();
        r.ReadBin();
        r.ReadExt(out _);
        r.ReadTimestamp();
        r.ReadMapHeader();
        r.ReadRequiredString();
        r.ReadBoolean();
        r.ReadNil();
    }

    private static void ReadOne(ref PacketReader r)
    {
        switch (r.PeekKind())
        {
            case PacketValueKind.Nil: r.ReadNil(); break;
            case PacketValueKind.Boolean: r.ReadBoolean(); break;
            case PacketValueKind.Integer: r.ReadInt64(); break;
            case PacketValueKind.Float: r.ReadDouble(); break;
            case PacketValueKind.String: r.ReadString(); break;
            case PacketValueKind.Binary: r.ReadBin(); break;
            case PacketValueKind.Array: r.ReadArrayHeader(); break;
            case PacketValueKind.Map: r.ReadMapHeader(); break;
            default: r.ReadExt(out _); break;
        }
    }
}
