using System.Buffers;

namespace Transport.Chaos.Packets;

/// <summary>Asks the main node to read no more until it is let go.</summary>
internal readonly record struct Hold
{
    public static PacketType<Hold> Type { get; } = new(1025, "Hold", new Formatter());

    private sealed class Formatter : IPacketFormatter<Hold>
    {
        public void Write(IBufferWriter<byte> output, Hold packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteNil();
            writer.Flush();
        }

        public Hold Read(in ReadOnlySequence<byte> body) => default;
    }
}
