using System;
using System.Buffers.Binary;
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
    private readonly List<(BuildSpan? Span, ulong Id)> _spans = [(null, NewId())];   // null: the build
    private readonly ulong[] _projects;   // the id of each
    private readonly BuildModel _model;
    private readonly string _trace, _parent;

    /// <param name="model">The build.</param>
    /// <param name="traceParent">The W3C trace context that the build belongs to; null, or malformed: it is a trace of its own.</param>
    public OtlpSpans(BuildModel model, string? traceParent)
    {
        (_trace, _parent) = Parse(traceParent);
        _model = model;
        _projects = [.. model.Projects.Select(_ => NewId())];
        foreach (ProjectSpan project in model.Projects)
        {
            _spans.Add((project, _projects[project.Number]));
            _spans.AddRange(project.OwnTargets.Select(target => ((BuildSpan?)target, NewId())));
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
            foreach ((BuildSpan? span, ulong id) in _spans.Skip(first).Take(count))
            {
                Write(json, span, id);
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

    private void Write(Utf8JsonWriter json, BuildSpan? span, ulong id)
    {
        string name = _model.Name;
        switch (span)
        {
            case ProjectSpan project:
                Write(json, id, project.Parent is { } asked ? Id(_projects[asked.Number]) : Id(_spans[0].Id), project.Name,
                    project.Start, project.End, project.Succeeded,
                [
                    ("cicd.pipeline.task.name", project.Name), ("cicd.pipeline.task.type", "build"),
                    ("cicd.pipeline.task.run.result", Result(project.Succeeded)), ("code.file.path", project.File),
                    ("msbuild.targets", project.Targets), ("msbuild.node", project.Node),
                ]);
                break;
            case TargetSpan target:
                Write(json, id, Id(_projects[target.Project.Number]), target.Name, target.Start, target.End, target.Succeeded,
                    [("cicd.pipeline.task.name", target.Name), ("cicd.pipeline.task.run.result", Result(target.Succeeded))]);
                break;
            default:
                Write(json, id, _parent, "build " + name, _model.Start, _model.End, _model.Succeeded,
                    [("cicd.pipeline.name", name), ("cicd.pipeline.result", Result(_model.Succeeded))]);
                break;
        }
    }

    private void Write(Utf8JsonWriter json, ulong id, string parent, string name, long start, long end, bool? succeeded,
        IEnumerable<(string Name, string Value)> attributes)
    {
        const int Internal = 1, Ok = 1, Error = 2;
        json.WriteStartObject();
        json.WriteString("traceId", _trace);
        json.WriteString("spanId", Id(id));
        json.WriteString("parentSpanId", parent);
        json.WriteString("name", name);
        json.WriteNumber("kind", Internal);
        json.WriteString("startTimeUnixNano", Nanos(start));
        json.WriteString("endTimeUnixNano", Nanos(end));
        WriteAttributes(json, attributes);
        json.WriteStartObject("status");
        json.WriteNumber("code", succeeded == true ? Ok : Error);
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
        return parts.Length >= 4 && IsId(parts[1], 32) && IsId(parts[2], 16) ? (parts[1], parts[2])
            : (Id(NewId()) + Id(NewId()), string.Empty);
    }

    private static bool IsId(string text, int digits) =>
        text.Length == digits && text.All(char.IsAsciiHexDigitLower) && text.Any(digit => digit != '0');

    private static ulong NewId()
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        ulong id;
        do
        {
            RandomNumberGenerator.Fill(bytes);
            id = BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        }
        while (id == 0);   // that is no id
        return id;
    }

    private static string Id(ulong id) => id.ToString("x16", CultureInfo.InvariantCulture);
}
