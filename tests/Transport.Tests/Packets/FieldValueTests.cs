using System;
using System.Linq;
using NUnit.Framework;

namespace Transport.Tests.Packets;

/// <summary>.NET's own values as MessagePack, and the words for a field that is wrong.</summary>
internal sealed class FieldValueTests
{
    private static readonly string[] FieldNames = ["Id", "Name"];

    private delegate void Writing(ref PacketWriter writer);

    private static decimal[] Decimals =>
    [
        0m, 0.00m, 12.50m, -12.50m, decimal.MaxValue, decimal.MinValue, 0.0000000000000000000000000001m, -7.9228162514264337593543950335m,
            1e28m, new decimal(1, 0, 0, true, 28),
    ];

    [TestCaseSource(nameof(Decimals))]
    public void A_decimal_keeps_its_places(decimal value)
    {
        byte[] bytes = Write((ref PacketWriter w) => w.WriteDecimal(value));
        Assert.That(decimal.GetBits(new PacketReader(bytes).ReadDecimal()), Is.EqualTo(decimal.GetBits(value)));
        Assert.That(new PacketReader(bytes).ReadString(), Is.EqualTo(value.ToString(System.Globalization.CultureInfo.InvariantCulture)));
    }

    [TestCase("")]
    [TestCase("x")]
    [TestCase("1,5")]
    [TestCase("1 ")]
    [TestCase("79228162514264337593543950336")]
    public void A_text_that_is_no_decimal_is_refused(string text)
    {
        byte[] bytes = Write((ref PacketWriter w) => w.WriteString(text));
        TransportException thrown = Assert.Throws<TransportException>(() => new PacketReader(bytes).ReadDecimal())!;
        Assert.That(thrown.Fault, Is.EqualTo(TransportFault.PacketMalformed));
        Assert.That(thrown.Message, Does.Contain("expected a decimal number as a string"));
    }

    [Test]
    public void A_guid_has_the_bytes_of_its_text()
    {
        var guid = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        byte[] bytes = Write((ref PacketWriter w) => w.WriteGuid(guid));
        Assert.That(string.Concat(bytes.Select(b => b.ToString("x2"))), Is.EqualTo("c41000112233445566778899aabbccddeeff"));
        Assert.That(new PacketReader(bytes).ReadGuid(), Is.EqualTo(guid));
    }

    [Test]
    public void Small_integers_keep_their_range()
    {
        byte[] least = Write((ref PacketWriter w) => w.WriteInt(-129));
        byte[] most = Write((ref PacketWriter w) => w.WriteInt(40_000));
        Assert.Throws<TransportException>(() => new PacketReader(least).ReadSByte());
        Assert.Throws<TransportException>(() => new PacketReader(least).ReadByte());
        Assert.Throws<TransportException>(() => new PacketReader(most).ReadInt16());
        Assert.That(new PacketReader(least).ReadInt16(), Is.EqualTo(-129));
        Assert.That((new PacketReader([0xff]).ReadSByte(), new PacketReader([0xcc, 255]).ReadByte()), Is.EqualTo(((sbyte)-1, (byte)255)));
    }

    [Test]
    public void Times_come_back_in_UTC()
    {
        var time = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc).AddTicks(7);
        byte[] bytes = Write((ref PacketWriter w) => w.WriteDateTime(time));
        DateTime read = new PacketReader(bytes).ReadDateTime();
        Assert.That((read, read.Kind), Is.EqualTo((time, DateTimeKind.Utc)));
        bytes = Write((ref PacketWriter w) => w.WriteTimeSpan(TimeSpan.MinValue));
        Assert.That(new PacketReader(bytes).ReadTimeSpan(), Is.EqualTo(TimeSpan.MinValue));
    }

    [Test]
    public void A_fault_is_reported_with_its_field()
    {
        Assert.That(Blame([0x92, 0x01, 0x02]),
            Is.EqualTo("Thing.Name: at byte 2 of the body: expected a string, got positive fixint (0x02)."));
        Assert.That(Blame([0x92, 0xa0, 0x02]), Is.EqualTo("Thing.Id: at byte 1 of the body: expected an integer, got fixstr (0xa0)."));
        Assert.That(Blame([0x93, 0x01, 0xa0, 0xc1]),
            Is.EqualTo("Thing, field 2: at byte 3 of the body: expected a value, got a byte that MessagePack never uses (0xc1)."));
        Assert.That(Blame([0x80]), Is.EqualTo("Thing: at byte 0 of the body: expected an array, got fixmap (0x80)."));
        Assert.That(Blame([0x92, 0x01, 0xa0, 0x05]),
            Is.EqualTo("Thing: at byte 3 of the body: expected the end of the body, got 1 more bytes."));
    }

    [Test]
    public void Nesting_is_bound_on_both_sides()
    {
        Assert.That(DepthOf(new PacketReader(new byte[1])), Is.EqualTo(63), "inside the outermost one");
        Assert.Throws<TransportException>(() => Write((ref PacketWriter w) =>
        {
            for (int i = 0; i < 64; i++)
            {
                w.EnterNested();
            }
        }));
    }

    private static int DepthOf(PacketReader reader)
    {
        for (int depth = 0; ; depth++)
        {
            try
            {
                reader.EnterNested();
            }
            catch (TransportException)
            {
                return depth;
            }
        }
    }

    private static string Blame(byte[] body)
    {
        var reader = new PacketReader(body);
        try
        {
            int count = reader.ReadArrayHeader();
            reader.ReadInt64();
            reader.ReadRequiredString();
            reader.Skip(count - 2);
            reader.ReadEnd();
            return "nothing";
        }
        catch (TransportException fault)
        {
            return reader.InField(fault, 0, "Thing", FieldNames).Message;
        }
    }

    private static byte[] Write(Writing writing)
    {
        var output = new ArrayWriter();
        var writer = new PacketWriter(output);
        writing(ref writer);
        writer.Flush();
        return output.Written.ToArray();
    }
}
