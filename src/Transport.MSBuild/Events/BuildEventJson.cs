using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text.Json;

namespace Transport.MSBuild;

/// <summary>Build events as JSON. Safe from any thread.</summary>
public static class BuildEventJson
{
    /// <summary>Writes an event as an object: what every event has (kind, time, message, sender, thread, typeName, helpKeyword, context),
    /// <c>fields</c> with those of its kind by name, and <c>further</c> with what its type has besides.</summary>
    /// <param name="json">The writer.</param>
    /// <param name="one">The event.</param>
    /// <exception cref="ArgumentNullException"><paramref name="json"/> or <paramref name="one"/> is null.</exception>
    public static void Write(Utf8JsonWriter json, BuildEvent one)
    {
        ArgumentNullException.ThrowIfNull(json);
        ArgumentNullException.ThrowIfNull(one);
        IReadOnlyList<string> names = BuildEvent.FieldNames(one.Kind);
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
        for (int i = 0; i < names.Count; i++)
        {
            json.WritePropertyName(names[i]);
            WriteValue(json, one.Values[i]);
        }

        json.WriteEndObject();
        json.WritePropertyName("further");
        WriteValue(json, one.Values[names.Count..]);
        json.WriteEndObject();
    }

    /// <summary>Writes the value of a field. Numbers that JSON does not have are texts; bytes are an object with their base64.</summary>
    /// <param name="json">The writer.</param>
    /// <param name="value">The value: see <see cref="BuildEvent.Fields"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="json"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="value"/> is of no type that a field may have.</exception>
    public static void WriteValue(Utf8JsonWriter json, object? value)
    {
        ArgumentNullException.ThrowIfNull(json);
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
                json.WriteStartObject();
                json.WriteBase64String("base64", bytes);
                json.WriteEndObject();
                break;
            case BuildEventMap map:
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
                throw new ArgumentException($"{value.GetType()} is no value of an event.", nameof(value));
        }
    }

    private static void WriteMap(Utf8JsonWriter json, BuildEventMap map)
    {
        json.WriteStartObject();
        foreach ((string name, string? text) in map.Entries)
        {
            json.WriteString(name, text);
        }

        json.WriteEndObject();
    }

    private static void WriteContext(Utf8JsonWriter json, BuildEventIds? context)
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
