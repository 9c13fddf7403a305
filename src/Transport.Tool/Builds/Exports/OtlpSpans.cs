using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text.Json;

namespace Transport.Tool;

/// <summary>A build as spans of OpenTelemetry: the build, its projects, their targets, with the names of its conventions for CI/CD
/// (opentelemetry.io/docs/specs/semconv/cicd). Written as OTLP's JSON (opentelemetry.io/docs/specs/otlp). Immutable.</summary>
internal sealed class OtlpSpans
{
    private readonly List<Span> _spans = [];
    private readonly string _trace;

    /// <param name="model">The build.</param>
    /// <param name="traceParent">The W3C trace context that the build belongs to; null, or malformed: it is a trace of its own.</param>
    public OtlpSpans(BuildModel model, string? traceParent)
    {
        (string trace, string parent) = Parse(traceParent);
        _trace = trace;
        string name = model.Name, root = NewId(8);
        _spans.Add(new Span(root, parent, "build " + name, model.Start, model.End, model.Succeeded,
            [("cicd.pipeline.name", name), ("cicd.pipeline.result", Result(model.Succeeded))]));
        var ids = new Dictionary<ProjectSpan, string>();
        foreach (ProjectSpan project in model.Projects)
        {
            string id = ids[project] = NewId(8);
            string above = project.Parent is { } asked && ids.TryGetValue(asked, out string? known) ? known : root;
            _spans.Add(new Span(id, above, project.Name, project.Start, project.End, project.Succeeded,
            [
                ("cicd.pipeline.task.name", project.Name), ("cicd.pipeline.task.type", "build"),
                ("cicd.pipeline.task.run.result", Result(project.Succeeded)), ("code.file.path", project.File),
                ("msbuild.targets", project.Targets), ("msbuild.node", project.Node),
            ]));
            _spans.AddRange(project.OwnTargets.Select(target => new Span(
                NewId(8), id, target.Name, target.Start, target.End, target.Succeeded,
                [("cicd.pipeline.task.name", target.Name), ("cicd.pipeline.task.run.result", Result(target.Succeeded))])));
        }
    }

    /// <summary>Gets how many spans there are.</summary>
    public int Count => _spans.Count;

    /// <summary>Returns the body of one request.</summary>
    /// <param name="first">The first span.</param>
    /// <param name="count">How many.</param>
    public byte[] Body(int first, int count)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteStartArray("resourceSpans");
            json.WriteStartObject();
            json.WriteStartObject("resource");
            WriteAttributes(json, [("service.name", "dotnet build")]);
            json.WriteEndObject();
            json.WriteStartArray("scopeSpans");
            json.WriteStartObject();
            json.WriteStartObject("scope");
            json.WriteString("name", "Transport.Tool");
            json.WriteEndObject();
            json.WriteStartArray("spans");
            foreach (Span span in _spans.Skip(first).Take(count))
            {
                Write(json, span);
            }

            json.WriteEndArray();
            json.WriteEndObject();
            json.WriteEndArray();
            json.WriteEndObject();
            json.WriteEndArray();
            json.WriteEndObject();
        }

        return buffer.ToArray();
    }

    private void Write(Utf8JsonWriter json, Span span)
    {
        const int Internal = 1, Ok = 1, Error = 2;
        json.WriteStartObject();
        json.WriteString("traceId", _trace);
        json.WriteString("spanId", span.Id);
        json.WriteString("parentSpanId", span.Parent);
        json.WriteString("name", span.Name);
        json.WriteNumber("kind", Internal);
        json.WriteString("startTimeUnixNano", Nanos(span.Start));
        json.WriteString("endTimeUnixNano", Nanos(span.End));
        WriteAttributes(json, span.Attributes);
        json.WriteStartObject("status");
        json.WriteNumber("code", span.Succeeded == true ? Ok : Error);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteAttributes(Utf8JsonWriter json, IEnumerable<(string Name, string Value)> attributes)
    {
        json.WriteStartArray("attributes");
        foreach ((string name, string value) in attributes.Where(attribute => attribute.Value.Length > 0))
        {
            json.WriteStartObject();
            json.WriteString("key", name);
            json.WriteStartObject("value");
            json.WriteString("stringValue", value);
            json.WriteEndObject();
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static string Result(bool? succeeded) => succeeded switch { true => "success", false => "failure", _ => "error" };

    private static string Nanos(long ticks) =>
        ((ticks - DateTime.UnixEpoch.Ticks) * 100).ToString(CultureInfo.InvariantCulture);

    private static (string Trace, string Parent) Parse(string? traceParent)
    {
        string[] parts = (traceParent ?? string.Empty).Split('-');
        return parts.Length >= 4 && IsId(parts[1], 32) && IsId(parts[2], 16) ? (parts[1], parts[2]) : (NewId(16), string.Empty);
    }

    private static bool IsId(string text, int digits) =>
        text.Length == digits && text.All(char.IsAsciiHexDigitLower) && text.Any(digit => digit != '0');

    private static string NewId(int bytes) => Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(bytes));

    private sealed record Span(string Id, string Parent, string Name, long Start, long End, bool? Succeeded,
        IReadOnlyList<(string Name, string Value)> Attributes);
}
