using System.Buffers;

namespace Transport.Loads.Events;

/// <summary>The event as a MessagePack array, as the generator would write it.</summary>
internal sealed class LoadEventFormatter : IPacketFormatter<LoadEvent>
{
    /// <summary>The packet type of events in every load.</summary>
    public static readonly PacketType<LoadEvent> Type = new(1024, "LoadEvent", new LoadEventFormatter(), validatesBody: true);

    public void Write(IBufferWriter<byte> output, LoadEvent packet)
    {
        var w = new PacketWriter(output);
        w.WriteArrayHeader(7);
        w.WriteInt(packet.Id);
        w.WriteInt(packet.Ticks);
        w.WriteInt(packet.Importance);
        w.WriteInt(packet.Project);
        w.WriteInt(packet.Target);
        w.WriteString(packet.Sender);
        w.WriteString(packet.Message);
        w.Flush();
    }

    public LoadEvent Read(in ReadOnlySequence<byte> body)
    {
        var r = new PacketReader(body);
        int count = r.ReadArrayHeader(atLeast: 7);
        var e = new LoadEvent
        {
            Id = r.ReadInt64(),
            Ticks = r.ReadInt64(),
            Importance = r.ReadInt32(),
            Project = r.ReadInt32(),
            Target = r.ReadInt32(),
            Sender = r.ReadRequiredString(),
            Message = r.ReadRequiredString(),
        };
        r.Skip(count - 7);
        r.ReadEnd();
        return e;
    }
}
