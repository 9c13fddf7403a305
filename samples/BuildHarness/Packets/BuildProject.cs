using System.Buffers;
using System.Collections.Generic;
using Transport.Packets;

namespace BuildHarness.Packets;

/// <summary>Main node to worker: build this project.</summary>
/// <param name="Id">The project's id in the plan.</param>
/// <param name="Path">The full path of the project file.</param>
/// <param name="Properties">The global properties, as data: their values hold line breaks and whatever else.</param>
internal sealed record BuildProject(int Id, string Path, IReadOnlyList<KeyValuePair<string, string>> Properties);

internal sealed class BuildProjectFormatter : IPacketFormatter<BuildProject>
{
    private const int Elements = 3;

    public void Write(IBufferWriter<byte> output, BuildProject packet)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteArrayHeader(Elements);
        writer.WriteInt(packet.Id);
        writer.WriteString(packet.Path);
        writer.WriteMapHeader(packet.Properties.Count);
        foreach ((string name, string value) in packet.Properties)
        {
            writer.WriteString(name);
            writer.WriteString(value);
        }

        writer.Flush();
    }

    public BuildProject Read(in ReadOnlySequence<byte> body)
    {
        var reader = new MessagePackReader(body);
        int count = reader.ReadArrayHeader(Elements);
        int id = reader.ReadInt32();
        string path = reader.ReadRequiredString();
        var properties = new KeyValuePair<string, string>[reader.ReadMapHeader()];
        for (int i = 0; i < properties.Length; i++)
        {
            properties[i] = new(reader.ReadRequiredString(), reader.ReadRequiredString());
        }

        reader.Skip(count - Elements);
        return new BuildProject(id, path, properties);
    }
}
