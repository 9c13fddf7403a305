using System;
using System.Buffers;
using System.Collections.Generic;
using System.Net;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Fields;

/// <summary>Fields that have a formatter of their own.</summary>
internal sealed partial class FormatterTests
{
    /// <summary>Gets packets as Python shall see them.</summary>
    public static IEnumerable<(byte[] Body, string Seen)> Samples =>
    [
        (
            Bytes.Of(Host.PacketType, new Host(1, IPAddress.Loopback, new Money(250, "EUR"), 7)),
            "[int 1, bin 7f000001, [int 250, str 455552], int 7, nil, bin 00000000]"),
    ];

    [Test]
    public void It_comes_back()
    {
        var sent = new Host(1, IPAddress.IPv6Loopback, new Money(250, "EUR"), 7, new Money(-1, "€")) { Any = IPAddress.Loopback };
        Assert.That(Bytes.Echo(Host.PacketType, sent), Is.EqualTo(sent));
        sent = new Host(-1, null, default, 8);
        Assert.That(Bytes.Echo(Host.PacketType, sent), Is.EqualTo(sent));
    }

    [Test]
    public void A_text_longer_than_the_writers_span_comes_back()
    {
        var sent = new Host(1, null, new Money(1, new string('é', 100_000)), 9);
        Assert.That(Bytes.Echo(Host.PacketType, sent), Is.EqualTo(sent));
    }

    [Test]
    public void Every_length_in_between_is_read([Range(0, 6)] int fields)
    {
        byte[] body = Bytes.FromHex("9" + fields + "01c4047f00000192cc fa a3455552079201a158c4047f000001".Replace(" ", ""));
        int[] ends = [1, 2, 8, 15, 16, 20, 26];
        Host came = Bytes.Read(Host.PacketType, body.AsSpan(0, ends[fields]).ToArray());
        Assert.That(came, Is.EqualTo(new Host(
            fields > 0 ? 1 : 0,
            fields > 1 ? IPAddress.Loopback : null,
            fields > 2 ? new Money(250, "EUR") : default,
            fields > 3 ? 7 : 0,
            fields > 4 ? new Money(1, "X") : null)
        {
            Any = fields > 5 ? IPAddress.Loopback : IPAddress.Any,
        }));
    }

    [TestCase("9201c0", null)]
    [TestCase("9201c403010203", "Host.Address: at byte 2 of the body: expected a value for AddressFormatter, got one that it refuses (")]
    [TestCase("920105", "(At byte 0 of the value: expected bin, got positive fixint (0x05).)")]
    [TestCase("9201c4ff", "Host.Address: at byte 2 of the body: expected bin 8 of 257 bytes in all, got only 2 bytes.")]
    [TestCase("9301c0dd7fffffff", "Host.Price: at byte 3 of the body: expected array 32 with 2147483647 values")]
    [TestCase("9301c0c0", "Host.Price: at byte 3 of the body: expected a value for MoneyFormatter")]
    [TestCase("9301c09201a158", null)]
    [TestCase("9301c0930102a158", "(At byte 2 of the value: expected a string")]
    public void Another_shape_is_malformed(string body, string? message) =>
        Assert.That(message is null ? Read(body) : Bytes.Refusal(Host.PacketType, body), Does.Contain(message ?? "Host"));

    [TestCase(62, true)]
    [TestCase(63, false)]
    public void What_surrounds_a_value_counts_to_its_depth(int levels, bool isValid)
    {
        string body = "91" + string.Concat(System.Linq.Enumerable.Repeat("91", levels)) + "90";
        Assert.That(isValid ? "" : Bytes.Refusal(Raw.PacketType, body), Does.Contain(isValid ? "" : "nested at most 64 deep"));
        if (isValid)
        {
            Assert.That(Bytes.Read(Raw.PacketType, Bytes.FromHex(body)).Value, Is.EqualTo(levels + 1));
        }
    }

    private static string Read(string body) => Bytes.Read(Host.PacketType, Bytes.FromHex(body)).ToString();

    internal readonly record struct Money(long Cents, string? Currency);

    internal sealed class AddressFormatter : IPacketFormatter<IPAddress>
    {
        public void Write(IBufferWriter<byte> output, IPAddress packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteBin(packet.GetAddressBytes());
            writer.Flush();
        }

        public IPAddress Read(in ReadOnlySequence<byte> body) => new(new PacketReader(body).ReadBin().ToArray());
    }

    internal sealed class MoneyFormatter : IPacketFormatter<Money>
    {
        public void Write(IBufferWriter<byte> output, Money packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteArrayHeader(2);
            writer.WriteInt(packet.Cents);
            writer.WriteString(packet.Currency);
            writer.Flush();
        }

        public Money Read(in ReadOnlySequence<byte> body)
        {
            var reader = new PacketReader(body);
            reader.ReadArrayHeader(atLeast: 2);
            return new Money(reader.ReadInt64(), reader.ReadString());
        }
    }

    /// <summary>Gives the length, whatever the bytes are.</summary>
    internal readonly struct LengthFormatter : IPacketFormatter<int>
    {
        public void Write(IBufferWriter<byte> output, int packet) => throw new NotSupportedException();

        public int Read(in ReadOnlySequence<byte> body) => (int)body.Length;
    }

    [Packet(2540)]
    internal sealed partial record Host(
        int Id,
        [PacketField(Formatter = typeof(AddressFormatter))] IPAddress? Address,
        [PacketField(Formatter = typeof(MoneyFormatter))] Money Price,
        int Port,
        [PacketField(Formatter = typeof(MoneyFormatter))] Money? Discount = null)
    {
        [PacketField(Formatter = typeof(AddressFormatter))]
        public IPAddress Any { get; init; } = IPAddress.Any;
    }

    [Packet(2541)]
    internal sealed partial record Raw([PacketField(Formatter = typeof(LengthFormatter))] int Value);
}
