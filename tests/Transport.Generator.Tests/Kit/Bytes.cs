using System;
using System.Buffers;
using System.Globalization;
using System.Linq;
using NUnit.Framework;

namespace Transport.Generator.Tests.Kit;

/// <summary>Packets to bytes and back, and bodies written by hand.</summary>
internal static class Bytes
{
    internal delegate void Writing(ref PacketWriter writer);

    public static byte[] Of<T>(PacketType<T> type, T packet)
    {
        var output = new GrowingBuffer();
        type.Formatter.Write(output, packet);
        byte[] bytes = output.ToArray();
        MessagePackValue.Check(bytes);
        return bytes;
    }

    public static T Read<T>(PacketType<T> type, byte[] body) => type.Formatter.Read(new ReadOnlySequence<byte>(body));

    public static byte[] Write(Writing writing)
    {
        var output = new GrowingBuffer();
        var writer = new PacketWriter(output);
        writing(ref writer);
        writer.Flush();
        return output.ToArray();
    }

    /// <summary>Writes a packet and reads it again.</summary>
    public static T Echo<T>(PacketType<T> type, T packet) => Read(type, Of(type, packet));

    /// <summary>Returns what a malformed body is refused with.</summary>
    public static string Refusal<T>(PacketType<T> type, string hex)
    {
        TransportException thrown = Assert.Throws<TransportException>(() => Read(type, FromHex(hex)))!;
        Assert.That(thrown.Fault, Is.EqualTo(TransportFault.PacketMalformed));
        return thrown.Message;
    }

    public static string Hex<T>(PacketType<T> type, T packet) => Hex(Of(type, packet));

    public static string Hex(byte[] bytes) => string.Concat(bytes.Select(b => b.ToString("x2", CultureInfo.InvariantCulture)));

    public static byte[] FromHex(string hex) =>
        [.. Enumerable.Range(0, hex.Length / 2).Select(i => Convert.ToByte(hex.Substring(2 * i, 2), 16))];
}
