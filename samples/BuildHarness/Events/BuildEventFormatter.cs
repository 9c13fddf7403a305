using System;
using System.Buffers;
using Transport;
using Transport.Packets;

namespace BuildHarness.Events;

/// <summary>A build event as packet 512 (PACKETS.md): what all kinds have, then the kind's own fields as one array.</summary>
internal sealed class BuildEventFormatter : IPacketFormatter<BuildEvent>
{
    private const int Elements = 10;

    public void Write(IBufferWriter<byte> output, BuildEvent packet)
    {
        var writer = new MessagePackWriter(output);
        writer.WriteArrayHeader(Elements);
        writer.WriteInt((int)packet.Kind);
        writer.WriteTableString(packet.TypeName);
        writer.WriteInt(packet.Ticks);
        writer.WriteInt((int)packet.TimeKind);
        writer.WriteInt(packet.ThreadId);
        writer.WriteTableString(packet.Sender);
        writer.WriteTableString(packet.Message);
        writer.WriteTableString(packet.HelpKeyword);
        WriteContext(ref writer, packet.Context);
        EventValueCodec.Write(ref writer, packet.Fields);
        writer.Flush();
    }

    public BuildEvent Read(in ReadOnlySequence<byte> body)
    {
        var reader = new MessagePackReader(body);
        int count = reader.ReadArrayHeader(Elements);
        int kind = reader.ReadInt32();
        if (!EventShapes.Knows(kind))
        {
            throw new TransportException(TransportFault.PacketMalformed, $"Build event of kind {kind}: this version does not know it; main node and workers must be of one version.");
        }

        var read = new BuildEvent
        {
            Kind = (EventKind)kind,
            TypeName = reader.ReadString(),
            Ticks = reader.ReadInt64(),
            TimeKind = (DateTimeKind)reader.ReadInt32(),
            ThreadId = reader.ReadInt32(),
            Sender = reader.ReadString(),
            Message = reader.ReadString(),
            HelpKeyword = reader.ReadString(),
            Context = ReadContext(ref reader),
            Fields = EventValueCodec.ReadList(ref reader, depth: 1),
        };
        reader.Skip(count - Elements);
        int expected = EventShapes.Of(read.Kind).Fields.Count;
        return read.Fields.Length >= expected
            ? read
            : throw new TransportException(TransportFault.PacketMalformed, $"Build event {read.Kind}: expected at least {expected} fields, {read.Fields.Length} came.");
    }

    private static void WriteContext(ref MessagePackWriter writer, EventContext? context)
    {
        if (context is not { } ids)
        {
            writer.WriteNil();
            return;
        }

        writer.WriteArrayHeader(EventContext.Ids);
        writer.WriteInt(ids.Submission);
        writer.WriteInt(ids.Node);
        writer.WriteInt(ids.Evaluation);
        writer.WriteInt(ids.ProjectInstance);
        writer.WriteInt(ids.ProjectContext);
        writer.WriteInt(ids.Target);
        writer.WriteInt(ids.Task);
    }

    private static EventContext? ReadContext(ref MessagePackReader reader)
    {
        if (reader.TryReadNil())
        {
            return null;
        }

        int count = reader.ReadArrayHeader(EventContext.Ids);
        var ids = new EventContext(
            reader.ReadInt32(), reader.ReadInt32(), reader.ReadInt32(), reader.ReadInt32(), reader.ReadInt32(), reader.ReadInt32(), reader.ReadInt32());
        reader.Skip(count - EventContext.Ids);
        return ids;
    }
}
