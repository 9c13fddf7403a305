using System;
using System.Globalization;
using System.Text.Json;
using BuildHarness.Events;

namespace BuildHarness.Journaling;

/// <summary>A build event as JSON: what every event has, and the fields of its kind by name (PACKETS.md).</summary>
internal static class EventJson
{
    public static Action<Utf8JsonWriter> Of(BuildEvent one) => json =>
    {
        EventShape shape = EventShapes.Of(one.Kind);
        json.WriteStartObject();
        json.WriteString("kind", one.Kind.ToString());
        json.WriteString("time", new DateTime(one.Ticks, one.TimeKind).ToString(one.TimeKind == DateTimeKind.Utc
            ? "yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'" : "yyyy-MM-dd'T'HH:mm:ss.fffffff", CultureInfo.InvariantCulture));
        json.WriteString("message", one.Message);
        json.WriteString("sender", one.Sender);
        json.WriteNumber("thread", one.ThreadId);
        json.WriteString("typeName", one.TypeName);
        json.WriteString("helpKeyword", one.HelpKeyword);
        WriteContext(json, one.Context);
        json.WriteStartObject("fields");
        for (int i = 0; i < shape.Fields.Count; i++)
        {
            json.WritePropertyName(shape.Fields[i]);
            WriteValue(json, one.Fields[i]);
        }

        json.WriteEndObject();
        json.WritePropertyName("further");
        WriteValue(json, one.Fields[shape.Fields.Count..]);
        json.WriteEndObject();
    };

    /// <summary>Writes a value of an event. Numbers that JSON does not have are texts; bytes are base64.</summary>
    public static void WriteValue(Utf8JsonWriter json, object? value)
    {
        switch (value)
        {
            case null:
                json.WriteNullValue();
                break;
            case string text:
                json.WriteStringValue(text);
                break;
            case bool flag:
                json.WriteBooleanValue(flag);
                break;
            case long number:
                json.WriteNumberValue(number);
                break;
            case double number when double.IsFinite(number):
                json.WriteNumberValue(number);
                break;
            case double number:
                json.WriteStringValue(number.ToString(CultureInfo.InvariantCulture));
                break;
            case byte[] bytes:
                PacketJson.WriteBytes(json, bytes);
                break;
            case EventMap map:
                WriteMap(json, map);
                break;
            case object?[] list:
                json.WriteStartArray();
                foreach (object? one in list)
                {
                    WriteValue(json, one);
                }

                json.WriteEndArray();
                break;
            default:
                throw new InvalidOperationException($"{value.GetType()} is no value of an event.");
        }
    }

    private static void WriteMap(Utf8JsonWriter json, EventMap map)
    {
        json.WriteStartObject();
        foreach ((string name, string? text) in map.Entries)
        {
            json.WriteString(name, text);
        }

        json.WriteEndObject();
    }

    private static void WriteContext(Utf8JsonWriter json, EventContext? context)
    {
        if (context is not { } ids)
        {
            json.WriteNull("context");
            return;
        }

        json.WriteStartObject("context");
        json.WriteNumber("submission", ids.Submission);
        json.WriteNumber("node", ids.Node);
        json.WriteNumber("evaluation", ids.Evaluation);
        json.WriteNumber("projectInstance", ids.ProjectInstance);
        json.WriteNumber("projectContext", ids.ProjectContext);
        json.WriteNumber("target", ids.Target);
        json.WriteNumber("task", ids.Task);
        json.WriteEndObject();
    }
}
