using System.Buffers;

namespace Transport.Logging;

/// <summary>Packet type 258 of PROTOCOL.md: <c>[time, id, done, total, text]</c>.</summary>
internal sealed class ProgressPacketFormatter : IPacketFormatter<ProgressPacket>
{
    private const int Fields = 5;

    public void Write(IBufferWriter<byte> output, ProgressPacket packet)
    {
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(Fields);
        writer.WriteTimestamp(packet.Time);
        writer.WriteInt(packet.Id);
        writer.WriteInt(packet.Done);
        if (packet.Total is { } total)
        {
            writer.WriteInt(total);
        }
        else
        {
            writer.WriteNil();
        }

        writer.WriteTableString(packet.Text ?? string.Empty, mayBeUnique: true);
        writer.Flush();
    }

    public ProgressPacket Read(in ReadOnlySequence<byte> body)
    {
        var reader = new PacketReader(body);
        int count = reader.ReadArrayHeader(Fields);
        var packet = new ProgressPacket
        {
            Time = reader.ReadTimestamp(),
            Id = reader.ReadInt64(),
            Done = reader.ReadInt64(),
            Total = reader.TryReadNil() ? null : reader.ReadInt64(),
            Text = reader.ReadRequiredString(),
        };
        Fragments.End(ref reader, count - Fields);
        return packet;
    }
}
