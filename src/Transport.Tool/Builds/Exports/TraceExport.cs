using System;
using System.Collections.Generic;
using System.IO;
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
        var trace = new ChromeTrace(output, maxBytes: long.MaxValue);
        TraceTrack path = trace.AddTrack("critical path");
        IReadOnlyList<int> numbers = model.Tracks();
        var tracks = new Dictionary<(string Node, int Number), TraceTrack>();
        TraceTrack TrackOf(ProjectSpan project)
        {
            (string Node, int Number) key = (project.Node, numbers[project.Number]);
            return tracks.TryGetValue(key, out TraceTrack track) ? track : tracks[key] = trace.AddTrack(project.Node);
        }

        TimeSpan At(long ticks) => TimeSpan.FromTicks(ticks - model.Start);
        void Span(TraceTrack track, BuildSpan span, string category, string? file = null, string? targets = null) => trace.Span(
            track, span.Name, At(span.Start), At(span.End), category,
            ("result", BuildSpan.Result(span.Succeeded)), ("file", file), ("targets", targets));

        foreach (ProjectSpan project in model.Projects)
        {
            TraceTrack track = TrackOf(project);
            Span(track, project, "project", project.File, project.Targets);
            foreach (TargetSpan target in project.OwnTargets)
            {
                Span(track, target, "target");
                foreach (TaskSpan task in target.Tasks)
                {
                    Span(track, task, "task");
                }
            }

            if (project.Parent is { } parent)
            {
                trace.Arrow(project.Id, "asks", TrackOf(parent), track, At(project.Start));
            }
        }

        foreach (PathStep step in model.CriticalPath())
        {
            trace.Span(path, step.Project.Name, At(step.Start), At(step.End), "critical path");
        }

        trace.Dispose();
        return trace.Failure is { } failed ? throw new IOException(failed.Message, failed) : trace.Spans;
    }
}
