using System.Buffers;

namespace Transport.MessagePackTests;

/// <summary>Packets to bytes and back, through their formatters.</summary>
internal static class Bytes
{
    public static byte[] Of<T>(PacketType<T> type, T packet)
    {
        var output = new ArrayWriter();
        type.Formatter.Write(output, packet);
        return output.Written.ToArray();
    }

    public static T Read<T>(PacketType<T> type, byte[] body) => type.Formatter.Read(new ReadOnlySequence<byte>(body));
}
