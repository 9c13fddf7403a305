using System.Buffers;
using NUnit.Framework;
using Transport.Tests.Packets;

namespace Transport.Tests.Logging;

/// <summary>Packets to bytes and back through their formatters.</summary>
internal static class LogBytes
{
    public static byte[] Of<T>(PacketType<T> type, T packet, int pieceSize = 1 << 20)
    {
        var pieces = new Pieces(pieceSize);
        type.Formatter.Write(pieces, packet);
        return pieces.ToArray();
    }

    public static T Read<T>(PacketType<T> type, byte[] body) => type.Formatter.Read(new ReadOnlySequence<byte>(body));

    public static string FaultOf<T>(PacketType<T> type, byte[] body)
    {
        TransportException e = Assert.Throws<TransportException>(() => Read(type, body))!;
        Assert.That(e.Fault, Is.EqualTo(TransportFault.PacketMalformed), e.Message);
        return e.Message;
    }
}
