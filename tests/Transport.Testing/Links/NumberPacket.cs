using System.Buffers;
using System.Buffers.Binary;

namespace Transport.Testing.Links;

/// <summary>A number as a packet: MessagePack uint 32.</summary>
internal sealed class NumberPacket : IPacketFormatter<int>
{
    public static readonly PacketType<int> Type = new(1024, "Number", new NumberPacket());

    /// <summary>Asks for numbers without end.</summary>
    public static readonly PacketType<int> Count = new(1029, "Count", new NumberPacket());

    /// <summary>A number that a test's main node has no handler for.</summary>
    public static readonly PacketType<int> Ignored = new(1030, "Ignored", new NumberPacket());

    private const byte UInt32 = 0xce;

    public void Write(IBufferWriter<byte> output, int packet)
    {
        System.Span<byte> span = output.GetSpan(5);
        span[0] = UInt32;
        BinaryPrimitives.WriteInt32BigEndian(span.Slice(1), packet);
        output.Advance(5);
    }

    public int Read(in ReadOnlySequence<byte> body)
    {
        byte[] bytes = body.ToArray();
        return bytes.Length == 5 && bytes[0] == UInt32
            ? BinaryPrimitives.ReadInt32BigEndian(System.MemoryExtensions.AsSpan(bytes, 1))
            : throw new TransportException(TransportFault.PacketMalformed, "A number is a uint 32.");
    }
}
