using System;
using System.Buffers;

namespace Transport.MSBuild;

/// <summary>A build event as packet 512 (docs/reference/build-events.md): what every event has, then, as a number says bit by bit, what
/// this one has that is not as usual.</summary>
internal sealed class BuildEventFormatter : IPacketFormatter<BuildEvent>
{
    private const int Always = 4;       // kind, ticks, context, mask
    private const int RareElements = 4;
    private const int PartsElements = 2;   // arguments, format
    private const long HasSender = 1, HasMessage = 2, HasThread = 4, HasRare = 8;
    private const int FirstField = 4;   // its bit

    public void Write(IBufferWriter<byte> output, BuildEvent packet)
    {
        EventFields known = EventFields.Of(packet.Kind);
        ReadOnlySpan<object?> usual = known.Usual, fields = packet.Values;
        if (fields.Length < usual.Length)
        {
            throw new InvalidOperationException(
                $"Build event {packet.Kind}: expected at least {usual.Length} fields, it has {fields.Length}.");
        }

        int elements = Always;
        long mask = MaskOf(packet, known, ref elements);
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(elements);
        writer.WriteInt((int)packet.Kind);
        writer.WriteInt(packet.Ticks);
        WriteContext(ref writer, packet.Context);
        writer.WriteInt(mask);
        if ((mask & HasSender) != 0)
        {
            writer.WriteTableString(packet.Sender);
        }

        if ((mask & HasThread) != 0)
        {
            writer.WriteInt(packet.ThreadId);
        }

        if ((mask & HasRare) != 0)
        {
            WriteRare(ref writer, packet, fields.Slice(usual.Length));
        }

        long bits = mask >> FirstField;
        for (int i = 0; bits != 0; i++, bits >>= 1)
        {
            if ((bits & 1) != 0)
            {
                EventValueCodec.Write(ref writer, fields[known.Order[i]]);
            }
        }

        if ((mask & HasMessage) != 0)
        {
            WriteMessage(ref writer, packet, fields.Slice(0, usual.Length));
        }

        writer.Flush();
    }

    public BuildEvent Read(in ReadOnlySequence<byte> body)
    {
        var reader = new PacketReader(body);
        int left = reader.ReadArrayHeader(Always) - Always;
        int kind = reader.ReadInt32();
        if (!EventFields.Knows(kind))
        {
            throw new TransportException(TransportFault.PacketMalformed,
                $"Build event of kind {kind}: this version does not know it; main node and workers must be of one version.");
        }

        EventFields known = EventFields.Of((BuildEventKind)kind);
        long ticks = reader.ReadInt64();
        if (ticks < 0 || ticks > DateTime.MaxValue.Ticks)
        {
            throw new TransportException(TransportFault.PacketMalformed,
                $"Build event {known.Kind}: expected a time of 0 to {DateTime.MaxValue.Ticks} ticks, got {ticks}.");
        }

        BuildEventIds? context = ReadContext(ref reader);
        long mask = reader.ReadInt64();
        if (mask < 0)
        {
            throw new TransportException(
                TransportFault.PacketMalformed, $"Build event {known.Kind}: expected a mask of 0 or more, got {mask}.");
        }

        string? sender = (mask & HasSender) != 0 && left-- > 0 ? reader.ReadString() : null;
        int thread = (mask & HasThread) != 0 && left-- > 0 ? reader.ReadInt32() : 0;
        Rare rare = (mask & HasRare) != 0 && left-- > 0 ? ReadRare(ref reader) : new Rare(null, DateTimeKind.Utc, null, []);
        object?[] fields = [.. known.Usual, .. rare.Further];
        long bits = mask >> FirstField;
        for (int i = 0; bits != 0; i++, bits >>= 1)
        {
            if ((bits & 1) == 0 || left-- <= 0)
            {
                continue;
            }

            if (i < known.Order.Length)
            {
                fields[known.Order[i]] = EventValueCodec.Read(ref reader);
            }
            else
            {
                reader.Skip();   // a field of a later version
            }
        }

        LazyMessage? lazy = null;
        string? message = (mask & HasMessage) != 0 && left-- > 0 ? ReadMessage(ref reader, fields, out lazy) : null;
        if (left < 0)
        {
            throw new TransportException(
                TransportFault.PacketMalformed, $"Build event {known.Kind}: its mask {mask} names {-left} more values than came.");
        }

        reader.Skip(left);
        reader.ReadEnd();
        return new BuildEvent
        {
            Kind = known.Kind,
            TypeName = rare.TypeName,
            Ticks = ticks,
            TimeKind = rare.TimeKind,
            ThreadId = thread,
            Sender = sender,
            Message = message,
            Lazy = lazy,
            HelpKeyword = rare.HelpKeyword,
            Context = context,
            Fields = fields,
        };
    }

    private static long MaskOf(BuildEvent packet, EventFields known, ref int elements)
    {
        long mask = 0;
        mask |= packet.Sender is null ? 0 : HasSender;
        mask |= packet.Lazy is null && packet.Message is null ? 0 : HasMessage;
        mask |= packet.ThreadId == 0 ? 0 : HasThread;
        mask |= packet.TypeName is null && packet.TimeKind == DateTimeKind.Utc && packet.HelpKeyword is null
            && packet.Values.Length == known.Usual.Length ? 0 : HasRare;
        for (int i = 0; i < known.Order.Length; i++)
        {
            int field = known.Order[i];
            mask |= IsUsual(packet.Values[field], known.Usual[field]) ? 0 : 1L << (FirstField + i);
        }

        elements += CountBits(mask);
        return mask;
    }

    private static int CountBits(long mask)
    {
        int count = 0;
        for (; mask != 0; mask &= mask - 1)
        {
            count++;
        }

        return count;
    }

    private static bool IsUsual(object? value, object? usual) =>
        ReferenceEquals(value, usual) || (value is long number && usual is long other && number == other)
            || (value is bool flag && usual is bool one && flag == one);

    private static void WriteMessage(ref PacketWriter writer, BuildEvent packet, ReadOnlySpan<object?> fields)
    {
        // Formats and templates are few and messages are many; without a table there is nothing to gain.
        if (!writer.HasTable)
        {
            writer.WriteString(packet.Message);
            return;
        }

        if (packet.Lazy is { } lazy)
        {
            WriteParts(ref writer, lazy);
            return;
        }

        string message = packet.Message!;
        Span<char> template = stackalloc char[MessageTemplate.Longest];
        int length = MessageTemplate.Cut(message, fields, template);
        if (length == 0)
        {
            writer.WriteTableString(message);
            return;
        }

        writer.WriteArrayHeader(1);
        writer.WriteTableString(template.Slice(0, length));
    }

    private static void WriteParts(ref PacketWriter writer, LazyMessage lazy)
    {
        ReadOnlySpan<string?> arguments = lazy.Arguments;
        writer.WriteArrayHeader(PartsElements);
        writer.WriteArrayHeader(arguments.Length);
        foreach (string? argument in arguments)
        {
            writer.WriteTableString(argument, mayBeUnique: true);
        }

        writer.WriteTableString(lazy.Format);
    }

    private static string? ReadMessage(ref PacketReader reader, object?[] fields, out LazyMessage? lazy)
    {
        lazy = null;
        if (reader.PeekKind() != PacketValueKind.Array)
        {
            return reader.ReadString();
        }

        int count = reader.ReadArrayHeader(1);
        string? message = null;
        if (reader.PeekKind() == PacketValueKind.Array)
        {
            lazy = ReadParts(ref reader, count);
            count--;
        }
        else
        {
            message = MessageTemplate.Fill(reader.ReadRequiredString(), fields);
        }

        reader.Skip(count - 1);
        return message;
    }

    private static LazyMessage ReadParts(ref PacketReader reader, int count)
    {
        int most = reader.ReadArrayHeader();
        if (count < PartsElements || most > LazyMessage.MostArguments)
        {
            throw new TransportException(TransportFault.PacketMalformed, $"A message in parts: expected at most "
                + $"{LazyMessage.MostArguments} arguments and a format, got {most} arguments in an array of {count}.");
        }

        var arguments = new string?[most];
        for (int i = 0; i < most; i++)
        {
            arguments[i] = reader.ReadString();
        }

        string format = reader.ReadRequiredString();
        return LazyMessage.LengthOf(format, arguments) >= 0 ? new LazyMessage(format, arguments)
            : throw new TransportException(TransportFault.PacketMalformed, $"A message in parts: expected a format with places for its "
                + $"{most} arguments and at most {LazyMessage.Longest} characters in all, got one of {format.Length} characters.");
    }

    private static void WriteRare(ref PacketWriter writer, BuildEvent packet, ReadOnlySpan<object?> further)
    {
        writer.WriteArrayHeader(RareElements);
        writer.WriteTableString(packet.TypeName);
        writer.WriteInt((int)packet.TimeKind);
        writer.WriteTableString(packet.HelpKeyword);
        writer.WriteArrayHeader(further.Length);
        foreach (object? field in further)
        {
            EventValueCodec.Write(ref writer, field);
        }
    }

    private static Rare ReadRare(ref PacketReader reader)
    {
        int count = reader.ReadArrayHeader(RareElements);
        string? typeName = reader.ReadString();
        int timeKind = reader.ReadInt32();
        if (timeKind is < (int)DateTimeKind.Unspecified or > (int)DateTimeKind.Local)
        {
            throw new TransportException(
                TransportFault.PacketMalformed, $"Time kind of a build event: expected 0, 1 or 2, got {timeKind}.");
        }

        var rare = new Rare(typeName, (DateTimeKind)timeKind, reader.ReadString(), EventValueCodec.ReadList(ref reader, depth: 1));
        reader.Skip(count - RareElements);
        return rare;
    }

    private static void WriteContext(ref PacketWriter writer, BuildEventIds? context)
    {
        if (context is not { } ids)
        {
            writer.WriteNil();
            return;
        }

        writer.WriteArrayHeader(BuildEventIds.Count);
        writer.WriteInt(ids.Submission);
        writer.WriteInt(ids.Node);
        writer.WriteInt(ids.Evaluation);
        writer.WriteInt(ids.ProjectInstance);
        writer.WriteInt(ids.ProjectContext);
        writer.WriteInt(ids.Target);
        writer.WriteInt(ids.Task);
    }

    private static BuildEventIds? ReadContext(ref PacketReader reader)
    {
        if (reader.TryReadNil())
        {
            return null;
        }

        int count = reader.ReadArrayHeader(BuildEventIds.Count);
        var ids = new BuildEventIds
        {
            Submission = reader.ReadInt32(),
            Node = reader.ReadInt32(),
            Evaluation = reader.ReadInt32(),
            ProjectInstance = reader.ReadInt32(),
            ProjectContext = reader.ReadInt32(),
            Target = reader.ReadInt32(),
            Task = reader.ReadInt32(),
        };
        reader.Skip(count - BuildEventIds.Count);
        return ids;
    }

    private readonly record struct Rare(string? TypeName, DateTimeKind TimeKind, string? HelpKeyword, object?[] Further);
}
