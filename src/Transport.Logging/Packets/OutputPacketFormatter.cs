using System.Buffers;

namespace Transport.Logging;

/// <summary>Packet type 257 of PROTOCOL.md: <c>[time, stream, text, partial, context]</c>.</summary>
internal sealed class OutputPacketFormatter : IPacketFormatter<OutputPacket>
{
    private const int Fields = 5;

    public void Write(IBufferWriter<byte> output, OutputPacket packet)
    {
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(Fields);
        writer.WriteTimestamp(packet.Time);
        writer.WriteInt((int)packet.Stream);
        writer.WriteTableString(packet.Text ?? string.Empty, mayBeUnique: true);
        writer.WriteBoolean(packet.IsPartial);
        Fragments.WriteContext(ref writer, packet.Context);
        writer.Flush();
    }

    public OutputPacket Read(in ReadOnlySequence<byte> body)
    {
        var reader = new PacketReader(body);
        int count = reader.ReadArrayHeader(Fields);
        var packet = new OutputPacket
        {
            Time = reader.ReadTimestamp(),
            Stream = ReadStream(ref reader),
            Text = reader.ReadRequiredString(),
            IsPartial = reader.ReadBoolean(),
            Context = Fragments.ReadContext(ref reader),
        };
        Fragments.End(ref reader, count - Fields);
        return packet;
    }

    private static OutputStream ReadStream(ref PacketReader reader)
    {
        int at = reader.Consumed;
        int stream = reader.ReadInt32();
        return stream is (int)OutputStream.Out or (int)OutputStream.Error ? (OutputStream)stream
            : throw Fragments.Wrong(at, "stream 1 (stdout) or 2 (stderr)", stream);
    }
}
