using System.Buffers;

namespace Transport.Testing.Links;

/// <summary>A packet of tests: who sent it, its number there, and a payload.</summary>
/// <param name="Sender">Which producer.</param>
/// <param name="Number">Its number at that producer.</param>
/// <param name="Payload">Arbitrary bytes.</param>
public sealed record Numbered(int Sender, long Number, byte[] Payload);

/// <summary>Packet types of tests.</summary>
public static class TestPackets
{
    /// <summary>Gets the type of <see cref="Numbered"/>.</summary>
    public static PacketType<Numbered> Numbered { get; } = new(
        1024, "Numbered", new NumberedFormatter(), level: n => (PacketLevel)(n.Sender % 6));

    /// <summary>Gets a type of text.</summary>
    public static PacketType<string> Text { get; } = new(1025, "Text", new TextFormatter(), validatesBody: true);

    private sealed class NumberedFormatter : IPacketFormatter<Numbered>
    {
        public void Write(IBufferWriter<byte> output, Numbered packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteArrayHeader(3);
            writer.WriteInt(packet.Sender);
            writer.WriteInt(packet.Number);
            writer.WriteBin(packet.Payload);
            writer.Flush();
        }

        public Numbered Read(in ReadOnlySequence<byte> body)
        {
            var reader = new PacketReader(body);
            reader.ReadArrayHeader(3);
            return new Numbered(reader.ReadInt32(), reader.ReadInt64(), reader.ReadBin().ToArray());
        }
    }

    private sealed class TextFormatter : IPacketFormatter<string>
    {
        public void Write(IBufferWriter<byte> output, string packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteString(packet);
            writer.Flush();
        }

        public string Read(in ReadOnlySequence<byte> body)
        {
            var reader = new PacketReader(body);
            string text = reader.ReadRequiredString();
            reader.ReadEnd();
            return text;
        }
    }
}
