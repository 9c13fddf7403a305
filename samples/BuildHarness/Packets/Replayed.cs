using System.Buffers;
using Transport.Packets;

namespace BuildHarness.Packets;

/// <summary>Worker to main node, after the last event of a recorded build.</summary>
/// <param name="Events">How many events were sent.</param>
/// <param name="Error">Why the file could not be read to its end, or null.</param>
internal sealed record Replayed(long Events, string? Error);

internal sealed class ReplayedFormatter : IPacketFormatter<Replayed>
{
    private const int Elements = 2;

    public void Write(IBufferWriter<byte> output, Replayed packet)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteArrayHeader(Elements);
        writer.WriteInt(packet.Events);
        writer.WriteString(packet.Error);
        writer.Flush();
    }

    public Replayed Read(in ReadOnlySequence<byte> body)
    {
        var reader = new MessagePackReader(body);
        int count = reader.ReadArrayHeader(Elements);
        var read = new Replayed(reader.ReadInt64(), reader.ReadString());
        reader.Skip(count - Elements);
        return read;
    }
}
