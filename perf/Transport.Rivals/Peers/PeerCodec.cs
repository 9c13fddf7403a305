using System;
using System.Buffers;
using System.IO;
using System.Text;
using MessagePack;
using MessagePack.Formatters;
using MessagePack.Resolvers;
using Transport.Loads.Events;

namespace Transport.Rivals.Peers;

/// <summary>The event for those who serialize with MessagePack-CSharp, by a formatter as its generator would write it, so that no peer
/// copies the event into an object of another type; and with BinaryWriter.</summary>
internal sealed class PeerCodec : IMessagePackFormatter<LoadEvent?>
{
    public static readonly MessagePackSerializerOptions Options = MessagePackSerializerOptions.Standard
        .WithResolver(CompositeResolver.Create([new PeerCodec()], [StandardResolver.Instance]));

    public void Serialize(ref MessagePackWriter writer, LoadEvent? value, MessagePackSerializerOptions options)
    {
        writer.WriteArrayHeader(7);
        writer.Write(value!.Id);
        writer.Write(value.Ticks);
        writer.Write(value.Importance);
        writer.Write(value.Project);
        writer.Write(value.Target);
        writer.Write(value.Sender);
        writer.Write(value.Message);
    }

    public LoadEvent Deserialize(ref MessagePackReader reader, MessagePackSerializerOptions options)
    {
        reader.ReadArrayHeader();
        return new LoadEvent
        {
            Id = reader.ReadInt64(), Ticks = reader.ReadInt64(), Importance = reader.ReadInt32(), Project = reader.ReadInt32(),
            Target = reader.ReadInt32(), Sender = reader.ReadString()!, Message = reader.ReadString()!,
        };
    }

    public static void Write(IBufferWriter<byte> output, LoadEvent e) => MessagePackSerializer.Serialize(output, e, Options);

    public static LoadEvent Read(ReadOnlyMemory<byte> body) => MessagePackSerializer.Deserialize<LoadEvent>(body, Options);

    /// <summary>As MSBuild's translator writes its fields.</summary>
    public static void Write(BinaryWriter writer, LoadEvent e)
    {
        writer.Write(e.Id);
        writer.Write(e.Ticks);
        writer.Write(e.Importance);
        writer.Write(e.Project);
        writer.Write(e.Target);
        writer.Write(e.Sender);
        writer.Write(e.Message);
    }

    public static LoadEvent ReadBinary(ReadOnlyMemory<byte> body)
    {
        System.Runtime.InteropServices.MemoryMarshal.TryGetArray(body, out ArraySegment<byte> bytes);
        using var reader = new BinaryReader(new MemoryStream(bytes.Array!, bytes.Offset, bytes.Count, writable: false), Encoding.UTF8);
        return new LoadEvent
        {
            Id = reader.ReadInt64(), Ticks = reader.ReadInt64(), Importance = reader.ReadInt32(), Project = reader.ReadInt32(),
            Target = reader.ReadInt32(), Sender = reader.ReadString(), Message = reader.ReadString(),
        };
    }
}
