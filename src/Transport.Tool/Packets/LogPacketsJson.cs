using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using Transport.Logging;
using Transport.MSBuild;

namespace Transport.Tool;

/// <summary>The packets of Transport.Logging as JSON.</summary>
internal static class LogPacketsJson
{
    public static void AddTo(PacketCatalog catalog) => catalog
        .Add(LogEvent.PacketType, WriteEvent)
        .Add(OutputPacket.PacketType, WriteOutput)
        .Add(ProgressPacket.PacketType, (json, progress) => PacketCatalog.Write(json, ("time", PacketCatalog.Time(progress.Time)),
            ("id", progress.Id), ("done", progress.Done), ("total", progress.Total), ("text", progress.Text)));

    private static void WriteEvent(Utf8JsonWriter json, LogEvent packet)
    {
        json.WriteStartObject();
        json.WriteString("time", PacketCatalog.Time(packet.Time));
        json.WriteNumber("level", (int)packet.Level);
        json.WriteString("category", packet.Category);
        json.WriteNumber("eventId", packet.EventId);
        json.WriteString("message", packet.Message);
        WriteContext(json, packet.Context);
        json.WritePropertyName("properties");
        if (packet.Properties.Count == 0)
        {
            json.WriteNullValue();
        }
        else
        {
            PacketCatalog.Write(json, [.. packet.Properties.Select(property => (property.Name, property.Value.ToObject()))]);
        }

        json.WriteString("exception", packet.Exception);
        WriteScopes(json, packet.Scopes);
        if (packet.TraceId != default)
        {
            json.WriteString("traceId", packet.TraceId.ToHexString());
            json.WriteString("spanId", packet.SpanId.ToHexString());
        }

        json.WriteEndObject();
    }

    private static void WriteScopes(Utf8JsonWriter json, IReadOnlyList<LogScope> scopes)
    {
        if (scopes.Count == 0)
        {
            return;
        }

        json.WriteStartArray("scopes");
        foreach (LogScope scope in scopes)
        {
            PacketCatalog.Write(
                json, [("text", scope.Text), .. scope.Properties.Select(property => (property.Name, property.Value.ToObject()))]);
        }

        json.WriteEndArray();
    }

    private static void WriteOutput(Utf8JsonWriter json, OutputPacket packet)
    {
        json.WriteStartObject();
        json.WriteString("time", PacketCatalog.Time(packet.Time));
        json.WriteNumber("stream", (int)packet.Stream);
        json.WriteString("text", packet.Text);
        json.WriteBoolean("partial", packet.IsPartial);
        WriteContext(json, packet.Context);
        json.WriteEndObject();
    }

    private static void WriteContext(Utf8JsonWriter json, IEnumerable<int>? context)
    {
        json.WritePropertyName("context");
        BuildEventJson.WriteValue(json, context?.Select(id => (object?)(long)id).ToArray());
    }
}
