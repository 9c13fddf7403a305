using System.Buffers;
using Transport.Packets;

namespace BuildHarness.Packets;

/// <summary>Main node to worker: send every event of this recorded build.</summary>
/// <param name="Path">The full path of the binary log.</param>
internal sealed record ReplayFile(string Path);

internal sealed class ReplayFileFormatter : IPacketFormatter<ReplayFile>
{
    public void Write(IBufferWriter<byte> output, ReplayFile packet)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteArrayHeader(1);
        writer.WriteString(packet.Path);
        writer.Flush();
    }

    public ReplayFile Read(in ReadOnlySequence<byte> body)
    {
        var reader = new MessagePackReader(body);
        int count = reader.ReadArrayHeader(1);
        var read = new ReplayFile(reader.ReadRequiredString());
        reader.Skip(count - 1);
        return read;
    }
}
