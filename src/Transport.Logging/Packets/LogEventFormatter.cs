using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace Transport.Logging;

/// <summary>
/// Packet type 256 of PROTOCOL.md: <c>[time, level, category, eventId, message, context, properties, exception]</c>, and the event id's
/// name as a ninth element if there is one, the scopes as a tenth: an array of <c>[text, properties]</c>, and the trace as an eleventh: 16
/// bytes of the trace's id and 8 of the span's.
/// </summary>
internal sealed class LogEventFormatter : IPacketFormatter<LogEvent>
{
    private const int Fields = 8;
    private const int FieldsWithName = 9;
    private const int FieldsWithScopes = 10;
    private const int FieldsWithTrace = 11;
    private const int ScopeFields = 2;
    private const int TraceIdBytes = 16;
    private const int TraceBytes = TraceIdBytes + 8;
    private const int FirstProperties = 256;
    private const int FirstScopes = 16;

    /// <summary>What is read of an event's scopes, and of the properties of one map: a few bytes on the wire are a hundred here, and no
    /// program has as many. The number of the others stands in their place.</summary>
    internal const int MaxScopes = 256, MaxProperties = 8192;

    /// <summary>The name of the property that counts what was left out.</summary>
    internal const string LeftOut = "Transport.LeftOut";

    public void Write(IBufferWriter<byte> output, LogEvent packet)
    {
        var writer = new PacketWriter(output);
        bool isNamed = !string.IsNullOrEmpty(packet.EventName);
        bool hasScopes = packet.Scopes is { Count: > 0 };
        bool hasTrace = packet.TraceId != default;
        writer.WriteArrayHeader(
            hasTrace ? FieldsWithTrace : hasScopes ? FieldsWithScopes : isNamed ? FieldsWithName : Fields);
        writer.WriteTimestamp(packet.Time);
        writer.WriteInt((int)packet.Level);
        writer.WriteTableString(packet.Category ?? string.Empty);
        writer.WriteInt(packet.EventId);
        writer.WriteTableString(packet.Message ?? string.Empty, mayBeUnique: true);
        Fragments.WriteContext(ref writer, packet.Context);
        WriteProperties(ref writer, packet.Properties);
        writer.WriteTableString(packet.Exception, mayBeUnique: true);
        if (isNamed || hasScopes || hasTrace)
        {
            writer.WriteTableString(isNamed ? packet.EventName : null);
        }

        if (hasScopes || hasTrace)
        {
            WriteScopes(ref writer, packet.Scopes ?? []);
        }

        if (hasTrace)
        {
            byte[] trace = new byte[TraceBytes];
            packet.TraceId.CopyTo(trace.AsSpan(0, TraceIdBytes));
            packet.SpanId.CopyTo(trace.AsSpan(TraceIdBytes));
            writer.WriteBin(trace);
        }

        writer.Flush();
    }

    public LogEvent Read(in ReadOnlySequence<byte> body)
    {
        var reader = new PacketReader(body);
        int count = reader.ReadArrayHeader(Fields);
        (ActivityTraceId Trace, ActivitySpanId Span) ids = default;
        var packet = new LogEvent
        {
            Time = reader.ReadTimestamp(),
            Level = ReadLevel(ref reader),
            Category = reader.ReadRequiredString(),
            EventId = reader.ReadInt32(),
            Message = reader.ReadRequiredString(),
            Context = Fragments.ReadContext(ref reader),
            Properties = ReadProperties(ref reader),
            Exception = reader.ReadString(),
            EventName = count > Fields && reader.ReadString() is { Length: > 0 } name ? name : null,
            Scopes = count > FieldsWithName ? ReadScopes(ref reader) : [],
            TraceId = count > FieldsWithScopes ? (ids = ReadTrace(ref reader)).Trace : default,
            SpanId = ids.Span,
        };
        Fragments.End(ref reader, count - Math.Min(count, FieldsWithTrace));
        return packet;
    }

    private static (ActivityTraceId Trace, ActivitySpanId Span) ReadTrace(ref PacketReader reader)
    {
        if (reader.TryReadNil())
        {
            return default;
        }

        int at = reader.Consumed;
        ReadOnlySpan<byte> trace = reader.ReadBin();
        return trace.Length == TraceBytes
            ? (ActivityTraceId.CreateFromBytes(trace.Slice(0, TraceIdBytes)), ActivitySpanId.CreateFromBytes(trace.Slice(TraceIdBytes)))
            : throw Fragments.Wrong(at, $"{TraceBytes} bytes of a trace", trace.Length);
    }

    private static LogLevel ReadLevel(ref PacketReader reader)
    {
        int at = reader.Consumed;
        int level = reader.ReadInt32();
        return level is >= (int)LogLevel.Trace and <= (int)LogLevel.Critical ? (LogLevel)level
            : throw Fragments.Wrong(at, "a level from 0 to 5", level);
    }

    private static void WriteScopes(ref PacketWriter writer, IReadOnlyList<LogScope> scopes)
    {
        writer.WriteArrayHeader(scopes.Count);
        for (int i = 0; i < scopes.Count; i++)
        {
            writer.WriteArrayHeader(ScopeFields);
            writer.WriteTableString(scopes[i].Text, mayBeUnique: true);
            WriteProperties(ref writer, scopes[i].Properties);
        }
    }

    private static IReadOnlyList<LogScope> ReadScopes(ref PacketReader reader)
    {
        if (!reader.TryReadArrayHeader(out int count) || count == 0)
        {
            return [];
        }

        // A scope takes 3 bytes on the wire and more here: the list grows with what has been read, not with what was claimed.
        var scopes = new List<LogScope>(Math.Min(count, FirstScopes));
        for (int i = 0; i < count; i++)
        {
            if (i == MaxScopes)
            {
                reader.Skip(count - i);
                scopes.Add(new LogScope(
                    FormattableString.Invariant($"{count - i} more scopes were left out"), [new LogProperty(LeftOut, count - i)]));
                break;
            }

            int fields = reader.ReadArrayHeader(ScopeFields);
            scopes.Add(new LogScope(reader.ReadString(), ReadProperties(ref reader)));
            reader.Skip(fields - ScopeFields);
        }

        return scopes;
    }

    private static void WriteProperties(ref PacketWriter writer, IReadOnlyList<LogProperty>? properties)
    {
        if (properties is null || properties.Count == 0)
        {
            writer.WriteNil();
            return;
        }

        // Not as a map of the table: hardly any two events have the same values, and their names and formats are references anyhow.
        writer.WriteMapHeader(properties.Count);
        for (int i = 0; i < properties.Count; i++)
        {
            LogProperty property = properties[i];
            writer.WriteTableString(property.Name ?? string.Empty);
            ValueFormat.Write(ref writer, property.Value);
        }
    }

    private static LogProperty[] ReadProperties(ref PacketReader reader) => reader.ReadTableMap(ReadPropertiesOnce);

    private static LogProperty[] ReadPropertiesOnce(ref PacketReader reader)
    {
        if (!reader.TryReadMapHeader(out int count) || count == 0)
        {
            return [];
        }

        // A property takes 2 bytes on the wire and 32 here: the array grows with what has been read, not with what was claimed.
        var properties = new LogProperty[Math.Min(count, FirstProperties)];
        for (int i = 0; i < count; i++)
        {
            if (i == properties.Length)
            {
                Array.Resize(ref properties, (int)Math.Min(Math.Min(count, MaxProperties + 1), 2L * i));
            }

            if (i == MaxProperties)
            {
                reader.Skip(2 * (count - i));
                properties[i] = new LogProperty(LeftOut, count - i);
                break;
            }

            properties[i] = new LogProperty(reader.ReadRequiredString(), ValueFormat.Read(ref reader));
        }

        return properties;
    }
}
