using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary><c>export --html</c>: one page with all that it needs. It asks no other machine for anything (its policy forbids it), and what
/// a build wrote is text in it: a JSON value in which every &lt; is escaped, shown as text alone.</summary>
internal static class HtmlExport
{
    private const string Place = "@DATA@";

    /// <summary>Writes the file, or leaves what is there.</summary>
    /// <returns>Its size in bytes.</returns>
    /// <exception cref="ToolException">It cannot be written.</exception>
    public static long Write(BuildModel model, string path) => Drafts.Write(path, ".html", draft =>
    {
        string[] page = Page().Split(Place);
        using FileStream file = File.Create(draft);
        file.Write(Encoding.UTF8.GetBytes(page[0]));
        using (var json = new Utf8JsonWriter(file, new JsonWriterOptions { Encoder = JavaScriptEncoder.Default }))
        {
            WriteData(json, model);
        }

        file.Write(Encoding.UTF8.GetBytes(page[1]));
        return file.Length;
    });

    private static string Page()
    {
        using Stream resource = typeof(HtmlExport).Assembly.GetManifestResourceStream("build.html")!;
        using var reader = new StreamReader(resource, Encoding.UTF8);
        return reader.ReadToEnd();
    }

    private static void WriteData(Utf8JsonWriter json, BuildModel model)
    {
        List<string> nodes = [.. model.Nodes];
        json.WriteStartObject();
        json.WriteString("name", model.Name);
        json.WriteString("result", BuildSpan.Result(model.Succeeded));
        var begin = new DateTime(model.Start, DateTimeKind.Utc);
        json.WriteString("begin", begin.ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture));
        json.WriteNumber("total", Milliseconds(model.End - model.Start));
        json.WriteNumber("events", model.Events);
        json.WriteNumber("errors", model.Diagnostics.Count(one => one.IsError));
        json.WriteNumber("warnings", model.Diagnostics.Count(one => !one.IsError));
        List(json, "nodes", nodes, json.WriteStringValue);
        WriteSpans(json, model, nodes);
        List(json, "path", model.CriticalPath(), step => Row(json, step.Project.Number, step.Start, step.End, model.Start));
        List(json, "diagnostics", model.Diagnostics, one =>
        {
            json.WriteStartArray();
            json.WriteNumberValue(one.IsError ? 1 : 0);
            json.WriteStringValue(one.Code);
            json.WriteStringValue(one.Message);
            json.WriteStringValue(one.File);
            json.WriteNumberValue(one.Line);
            json.WriteNumberValue(one.Column);
            json.WriteStringValue(one.Project);
            json.WriteEndArray();
        });
        List(json, "messages", model.Messages, one =>
        {
            json.WriteStartArray();
            json.WriteNumberValue(one.Project?.Number ?? -1);
            json.WriteNumberValue(Milliseconds(one.Time - model.Start));
            json.WriteStringValue(one.Text);
            json.WriteEndArray();
        });
        json.WriteEndObject();
    }

    private static void WriteSpans(Utf8JsonWriter json, BuildModel model, List<string> nodes)
    {
        IReadOnlyList<int> tracks = model.Tracks();
        var places = nodes.Select((name, index) => (name, index))
            .ToDictionary(node => node.name, node => node.index, StringComparer.Ordinal);
        List(json, "projects", model.Projects, project =>
        {
            json.WriteStartArray();
            json.WriteStringValue(project.Name);
            json.WriteStringValue(project.File);
            json.WriteStringValue(project.Targets);
            json.WriteNumberValue(places[project.Node]);
            json.WriteNumberValue(tracks[project.Number]);
            WriteTimes(json, project, model.Start);
            json.WriteNumberValue(project.Parent?.Number ?? -1);
            json.WriteEndArray();
        });
        IEnumerable<TargetSpan> targets = model.Projects.SelectMany(project => project.OwnTargets);
        List(json, "targets", targets, target => Child(json, target.Project.Number, target, model.Start));
        List(json, "tasks", targets.SelectMany((target, number) => target.Tasks.Select(task => (Task: task, Number: number))),
            one => Child(json, one.Number, one.Task, model.Start));
    }

    private static void Child(Utf8JsonWriter json, int above, BuildSpan span, long zero)
    {
        json.WriteStartArray();
        json.WriteNumberValue(above);
        json.WriteStringValue(span.Name);
        WriteTimes(json, span, zero);
        json.WriteEndArray();
    }

    private static void WriteTimes(Utf8JsonWriter json, BuildSpan span, long zero)
    {
        json.WriteNumberValue(Milliseconds(span.Start - zero));
        json.WriteNumberValue(Milliseconds(span.Ticks));
        json.WriteNumberValue(span.Succeeded switch { true => 1, false => 0, _ => -1 });
    }

    private static void Row(Utf8JsonWriter json, int number, long start, long end, long zero)
    {
        json.WriteStartArray();
        json.WriteNumberValue(number);
        json.WriteNumberValue(Milliseconds(start - zero));
        json.WriteNumberValue(Milliseconds(end - zero));
        json.WriteEndArray();
    }

    private static void List<T>(Utf8JsonWriter json, string name, IEnumerable<T> values, Action<T> write)
    {
        json.WriteStartArray(name);
        foreach (T value in values)
        {
            write(value);
            json.FlushIfLong();
        }

        json.WriteEndArray();
    }

    private static decimal Milliseconds(long ticks) => Math.Round(ticks / (decimal)TimeSpan.TicksPerMillisecond, 2);
}
