using System;
using System.Buffers;

namespace Transport.Generator.Tests.Kit;

/// <summary>Packets to bytes and back, and bodies written by hand.</summary>
internal static class Bytes
{
    internal delegate void Writing(ref MessagePackWriter writer);

    public static byte[] Of<T>(PacketType<T> type, T packet)
    {
        var output = new ArrayBufferWriter<byte>();
        type.Formatter.Write(output, packet);
        byte[] bytes = output.WrittenSpan.ToArray();
        MessagePackValue.Check(bytes);
        return bytes;
    }

    public static T Read<T>(PacketType<T> type, byte[] body) => type.Formatter.Read(new ReadOnlySequence<byte>(body));

    public static byte[] Write(Writing writing)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new MessagePackWriter(output);
        writing(ref writer);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    public static string Hex<T>(PacketType<T> type, T packet) => Convert.ToHexString(Of(type, packet)).ToLowerInvariant();
}
