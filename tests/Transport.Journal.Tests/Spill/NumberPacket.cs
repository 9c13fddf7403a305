using System.Buffers;

namespace Transport.Journal.Tests.Spill;

/// <summary>A packet that is a number and padding.</summary>
/// <param name="Number">The number.</param>
/// <param name="Padding">Bytes that make it large.</param>
internal sealed record NumberPacket(long Number, byte[] Padding)
{
    public static PacketType<NumberPacket> Type { get; } = new(1024, "Number", new Formatter());

    private sealed class Formatter : IPacketFormatter<NumberPacket>
    {
        public void Write(IBufferWriter<byte> output, NumberPacket packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteArrayHeader(2);
            writer.WriteInt(packet.Number);
            writer.WriteBin(packet.Padding);
            writer.Flush();
        }

        public NumberPacket Read(in ReadOnlySequence<byte> body)
        {
            var reader = new PacketReader(body);
            reader.ReadArrayHeader(2);
            return new NumberPacket(reader.ReadInt64(), reader.ReadBin().ToArray());
        }
    }
}
