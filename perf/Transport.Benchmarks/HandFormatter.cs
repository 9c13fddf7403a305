using System.Buffers;

namespace Transport.Benchmarks;

/// <summary>The formatter of the event as a person writes it, to be compared with the generated one.</summary>
internal sealed class HandFormatter : IPacketFormatter<BuildEvent>
{
    public void Write(IBufferWriter<byte> output, BuildEvent packet)
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

    public BuildEvent Read(in ReadOnlySequence<byte> body)
    {
        var r = new PacketReader(body);
        int count = r.ReadArrayHeader(atLeast: 7);
        var e = new BuildEvent(r.ReadInt64(), r.ReadInt64(), r.ReadInt32(), r.ReadInt32(), r.ReadInt32(), r.ReadRequiredString(),
            r.ReadRequiredString());
        r.Skip(count - 7);
        return e;
    }
}
