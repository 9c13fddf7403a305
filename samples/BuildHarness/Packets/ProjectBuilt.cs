using System.Buffers;
using Transport.Packets;

namespace BuildHarness.Packets;

/// <summary>Worker to main node, after the last event of the project.</summary>
/// <param name="Id">The project's id in the plan.</param>
/// <param name="Succeeded">Whether it was built.</param>
/// <param name="Milliseconds">How long it took.</param>
/// <param name="Error">Why it could not even be tried, or null: what MSBuild threw and no event says.</param>
internal sealed record ProjectBuilt(int Id, bool Succeeded, long Milliseconds, string? Error);

internal sealed class ProjectBuiltFormatter : IPacketFormatter<ProjectBuilt>
{
    private const int Elements = 4;

    public void Write(IBufferWriter<byte> output, ProjectBuilt packet)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteArrayHeader(Elements);
        writer.WriteInt(packet.Id);
        writer.WriteBoolean(packet.Succeeded);
        writer.WriteInt(packet.Milliseconds);
        writer.WriteString(packet.Error);
        writer.Flush();
    }

    public ProjectBuilt Read(in ReadOnlySequence<byte> body)
    {
        var reader = new MessagePackReader(body);
        int count = reader.ReadArrayHeader(Elements);
        var read = new ProjectBuilt(reader.ReadInt32(), reader.ReadBoolean(), reader.ReadInt64(), reader.ReadString());
        reader.Skip(count - Elements);
        return read;
    }
}
