using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary><c>export --trace</c>: a file for Perfetto and chrome://tracing (Trace Event Format, JSON object form): by node its projects,
/// with their targets and tasks, an arrow from each project to those that it asked for, and the critical path.</summary>
internal static class TraceExport
{
    /// <summary>Writes the file, or leaves what is there.</summary>
    /// <returns>How many stretches it has.</returns>
    /// <exception cref="ToolException">It cannot be written.</exception>
    public static long Write(BuildModel model, string path) => Drafts.Write(path, ".json", draft =>
    {
        using FileStream file = File.Create(draft);
        return WriteTo(file, model);
    });

    /// <inheritdoc cref="Write"/>
    public static long WriteTo(Stream output, BuildModel model)
    {
        using var json = new Utf8JsonWriter(output);
        long spans = 0;
        json.WriteStartObject();
        json.WriteString("displayTimeUnit", "ms");
        json.WriteStartArray("traceEvents");
        var nodes = model.Nodes.Select((name, index) => (name, Id: index + 2))
            .ToDictionary(node => node.name, node => node.Id, StringComparer.Ordinal);
        Name(json, "process_name", process: 1, thread: 0, "critical path");
        foreach ((string name, int id) in nodes)
        {
            Name(json, "process_name", id, thread: 0, name);
        }

        IReadOnlyList<int> tracks = model.Tracks();
        foreach (ProjectSpan project in model.Projects)
        {
            int node = nodes[project.Node], track = tracks[project.Number];
            Span(json, model, project, "project", node, track, project.File, project.Targets);
            spans++;
            foreach (TargetSpan target in project.OwnTargets)
            {
                Span(json, model, target, "target", node, track);
                spans++;
                foreach (TaskSpan task in target.Tasks)
                {
                    Span(json, model, task, "task", node, track);
                    spans++;
                }
            }

            if (project.Parent is { } parent)
            {
                Arrow(json, model, project.Id, "s", nodes[parent.Node], tracks[parent.Number], project.Start);
                Arrow(json, model, project.Id, "f", node, track, project.Start);
            }

            json.FlushIfLong();
        }

        foreach (PathStep step in model.CriticalPath())
        {
            Begin(json, step.Project.Name, "critical path", process: 1, thread: 0, model.Start, step.Start, step.End);
            json.WriteEndObject();
            spans++;
            json.FlushIfLong();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return spans;
    }

    private static void Name(Utf8JsonWriter json, string kind, int process, int thread, string name)
    {
        json.WriteStartObject();
        json.WriteString("ph", "M");
        json.WriteString("name", kind);
        json.WriteNumber("pid", process);
        json.WriteNumber("tid", thread);
        json.WriteStartObject("args");
        json.WriteString("name", name);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void Span(Utf8JsonWriter json, BuildModel model, BuildSpan span, string category, int process, int thread,
        string? file = null, string? targets = null)
    {
        Begin(json, span.Name, category, process, thread, model.Start, span.Start, span.End);
        json.WriteStartObject("args");
        json.WriteString("result", BuildSpan.Result(span.Succeeded));
        if (file is not null)
        {
            json.WriteString("file", file);
            json.WriteString("targets", targets);
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void Begin(
        Utf8JsonWriter json, string name, string category, int process, int thread, long zero, long start, long end)
    {
        json.WriteStartObject();
        json.WriteString("ph", "X");
        json.WriteString("name", name);
        json.WriteString("cat", category);
        json.WriteNumber("pid", process);
        json.WriteNumber("tid", thread);
        json.WriteNumber("ts", Micros(start - zero));
        json.WriteNumber("dur", Micros(Math.Max(0, end - start)));
    }

    private static void Arrow(Utf8JsonWriter json, BuildModel model, int id, string end, int process, int thread, long time)
    {
        json.WriteStartObject();
        json.WriteString("ph", end);
        json.WriteString("name", "asks");
        json.WriteString("cat", "link");
        json.WriteString("bp", "e");
        json.WriteNumber("id", id);
        json.WriteNumber("pid", process);
        json.WriteNumber("tid", thread);
        json.WriteNumber("ts", Micros(time - model.Start));
        json.WriteEndObject();
    }

    private static decimal Micros(long ticks) => ticks / (decimal)TimeSpan.TicksPerMicrosecond;
}
