using System;
using System.Buffers;

namespace Transport.Fuzz.Hostile;

/// <summary>The packets of the real worker: a number each, and bytes that follow from it.</summary>
internal static class Numbers
{
    public static PacketType<long> Stream { get; } = new(1024, "Number", new Formatter());

    /// <summary>Gets what the main node says when it is time to end.</summary>
    public static PacketType<long> Stop { get; } = new(1025, "Stop", new Formatter());

    private sealed class Formatter : IPacketFormatter<long>
    {
        private const int Padding = 200;

        public void Write(IBufferWriter<byte> output, long packet)
        {
            var padding = new byte[Padding];
            padding.AsSpan().Fill((byte)packet);
            var writer = new PacketWriter(output);
            writer.WriteArrayHeader(2);
            writer.WriteInt(packet);
            writer.WriteBin(padding);
            writer.Flush();
        }

        public long Read(in ReadOnlySequence<byte> body)
        {
            var reader = new PacketReader(body);
            reader.ReadArrayHeader(2);
            long number = reader.ReadInt64();
            return reader.ReadBin().IndexOfAnyExcept((byte)number) < 0 ? number
                : throw new TransportException(TransportFault.PacketMalformed, $"Number {number}: its bytes are another's.");
        }
    }
}
