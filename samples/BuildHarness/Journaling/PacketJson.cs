using System;
using System.Buffers;
using System.Globalization;
using System.Text.Json;
using BuildHarness.Packets;
using Transport;
using Transport.Journal;
using Transport.Logging;
using Transport.MSBuild;

namespace BuildHarness.Journaling;

/// <summary>One packet of a journal as the JSON object that <c>journal dump</c> writes. Fields have the names of PROTOCOL.md and
/// PACKETS.md; levels, streams and ids are the numbers there.</summary>
internal static class PacketJson
{
    /// <summary>The types of requests, which PROTOCOL.md gives to the links.</summary>
    private const int Request = 272, Answer = 273, Cancel = 274;

    public static void Write(Utf8JsonWriter json, in JournalRecord record)
    {
        json.WriteStartObject();
        json.WriteNumber("position", record.Position);
        json.WriteString("time", Time(record.Time));
        json.WriteString("node", record.Node);
        json.WriteNumber("type", record.Type);
        json.WritePropertyName("body");
        WriteBody(json, record.Type, record.Body);
        json.WriteEndObject();
    }

    public static string Time(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture);

    private static void WriteBody(Utf8JsonWriter json, int type, ReadOnlyMemory<byte> body)
    {
        // Read as a whole before anything is written: a body of another shape than its type's is shown as bytes.
        Action<Utf8JsonWriter>? write;
        try
        {
            write = Read(type, new ReadOnlySequence<byte>(body));
        }
        catch (TransportException)
        {
            write = null;
        }

        if (write is not null)
        {
            write(json);
        }
        else
        {
            WriteBytes(json, body.Span);
        }
    }

    private static Action<Utf8JsonWriter>? Read(int type, ReadOnlySequence<byte> body)
    {
        switch (type)
        {
            case BuildPackets.EventId:
                BuildEvent one = BuildPackets.Event.Formatter.Read(body);
                return json => BuildEventJson.Write(json, one);
            case Request or Answer or Cancel:
                return ReadRequest(type, body);
        }

        return type == LogPackets.Event.Id ? Of(LogPackets.Event.Formatter.Read(body))
            : type == LogPackets.Output.Id ? Of(LogPackets.Output.Formatter.Read(body))
            : type == LogPackets.Progress.Id ? Of(LogPackets.Progress.Formatter.Read(body))
            : type == BuildProject.PacketType.Id ? Of(BuildProject.PacketType.Formatter.Read(body))
            : type == ProjectBuilt.PacketType.Id ? Of(ProjectBuilt.PacketType.Formatter.Read(body))
            : type == StopWork.PacketType.Id ? Of(("reason", StopWork.PacketType.Formatter.Read(body).Reason))
            : type == ReplayFile.PacketType.Id ? Of(("path", ReplayFile.PacketType.Formatter.Read(body).Path))
            : OutputsJson.Of(type, body) is { } outputs ? Of(outputs)
            : type == Replayed.PacketType.Id ? Of(Replayed.PacketType.Formatter.Read(body))
            : null;
    }

    private static Action<Utf8JsonWriter> Of(LogEvent packet) => json =>
    {
        json.WriteStartObject();
        json.WriteString("time", Time(packet.Time));
        json.WriteNumber("level", (int)packet.Level);
        json.WriteString("category", packet.Category);
        json.WriteNumber("eventId", packet.EventId);
        json.WriteString("message", packet.Message);
        WriteContext(json, packet.Context);
        if (packet.Properties.Count == 0)
        {
            json.WriteNull("properties");
        }
        else
        {
            json.WriteStartObject("properties");
            foreach (LogProperty property in packet.Properties)
            {
                json.WritePropertyName(property.Name);
                WriteValue(json, property.Value);
            }

            json.WriteEndObject();
        }

        json.WriteString("exception", packet.Exception);
        json.WriteEndObject();
    };

    private static Action<Utf8JsonWriter> Of(Output packet) => json =>
    {
        json.WriteStartObject();
        json.WriteString("time", Time(packet.Time));
        json.WriteNumber("stream", (int)packet.Stream);
        json.WriteString("text", packet.Text);
        json.WriteBoolean("partial", packet.IsPartial);
        WriteContext(json, packet.Context);
        json.WriteEndObject();
    };

    private static Action<Utf8JsonWriter> Of(Progress packet) =>
        Of(("time", Time(packet.Time)), ("id", packet.Id), ("done", packet.Done), ("total", packet.Total), ("text", packet.Text));

    private static Action<Utf8JsonWriter> Of(BuildProject packet) => json =>
    {
        json.WriteStartObject();
        json.WriteNumber("id", packet.Id);
        json.WriteString("path", packet.Path);
        json.WriteStartObject("properties");
        foreach ((string name, string value) in packet.Properties)
        {
            json.WriteString(name, value);
        }

        json.WriteEndObject();
        json.WriteNumber("outputs", (int)packet.Outputs);
        json.WriteString("outputFolder", packet.OutputFolder);
        json.WriteEndObject();
    };

    private static Action<Utf8JsonWriter> Of(ProjectBuilt packet) =>
        Of(("id", (long)packet.Id), ("succeeded", packet.Succeeded), ("ms", packet.Milliseconds), ("error", packet.Error));

    private static Action<Utf8JsonWriter> Of(Replayed packet) => Of(("events", packet.Events), ("error", packet.Error));

    private static Action<Utf8JsonWriter> ReadRequest(int type, ReadOnlySequence<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(type == Cancel ? 1 : 4);
        long id = reader.ReadInt64();
        if (type == Cancel)
        {
            return Of(("id", id));
        }

        long number = reader.ReadInt64();
        byte[]? inner = reader.TryReadNil() ? null : reader.ReadBin().ToArray();
        return type == Request
            ? Of(("id", id), ("type", number), ("body", inner), ("ms", reader.TryReadNil() ? null : reader.ReadInt64()))
            : Of(("id", id), ("status", number), ("body", inner), ("message", reader.ReadString()));
    }

    private static Action<Utf8JsonWriter> Of(params (string Name, object? Value)[] fields) => json =>
    {
        json.WriteStartObject();
        foreach ((string name, object? value) in fields)
        {
            json.WritePropertyName(name);
            BuildEventJson.WriteValue(json, value);
        }

        json.WriteEndObject();
    };

    private static void WriteContext(Utf8JsonWriter json, int[]? context)
    {
        json.WritePropertyName("context");
        if (context is null)
        {
            json.WriteNullValue();
            return;
        }

        json.WriteStartArray();
        foreach (int id in context)
        {
            json.WriteNumberValue(id);
        }

        json.WriteEndArray();
    }

    private static void WriteValue(Utf8JsonWriter json, LogValue value) => BuildEventJson.WriteValue(json, value.Kind switch
    {
        LogValueKind.Text => value.Text,
        LogValueKind.Integer => value.Integer,
        LogValueKind.Number => value.Number,
        LogValueKind.Boolean => value.Boolean,
        _ => null,
    });

    /// <summary>Writes bytes that stand for nothing that JSON has.</summary>
    internal static void WriteBytes(Utf8JsonWriter json, ReadOnlySpan<byte> bytes)
    {
        json.WriteStartObject();
        json.WriteBase64String("base64", bytes);
        json.WriteEndObject();
    }
}
