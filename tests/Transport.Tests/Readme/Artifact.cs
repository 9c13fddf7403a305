#pragma warning disable CA1050, MA0047 // as a user writes it
using System.Buffers;
using Transport.Packets;

public sealed record Artifact(string Path, long Bytes);

public sealed class ArtifactFormatter : IPacketFormatter<Artifact>
{
    public static readonly PacketType<Artifact> Type = new(1024, "Artifact", new ArtifactFormatter());

    public void Write(IBufferWriter<byte> output, Artifact packet)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteArrayHeader(2);
        writer.WriteString(packet.Path);
        writer.WriteInt(packet.Bytes);
        writer.Flush();
    }

    public Artifact Read(in ReadOnlySequence<byte> body)
    {
        var reader = new MessagePackReader(body);
        int fields = reader.ReadArrayHeader(atLeast: 2);
        var artifact = new Artifact(reader.ReadRequiredString(), reader.ReadInt64());
        reader.Skip(fields - 2); // what a later version has added at the end
        return artifact;
    }
}
