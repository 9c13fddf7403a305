using System;
using System.Collections.Generic;
using System.IO;
using Transport.MSBuild;

namespace Transport.Tool;

/// <summary>Which project, target and task an event belongs to: its ids by the names that earlier events gave. One thread.</summary>
internal sealed class BuildNames
{
    private readonly Dictionary<int, (string File, string Framework)> _projects = [];
    private readonly Dictionary<(int Project, int Target), string> _targets = [];
    private readonly Dictionary<(int Project, int Task), string> _tasks = [];

    /// <summary>Returns the build that a node of the journal is a part of: what stands before the first dot (build.n2:
    /// <see cref="BuildCollector.CreateForwarder"/>), or all of it.</summary>
    public static string BuildOf(string journalNode)
    {
        int dot = journalNode.IndexOf('.', StringComparison.Ordinal);
        return dot < 0 ? journalNode : journalNode[..dot];
    }

    /// <summary>Takes an event in, before its names are asked for.</summary>
    public void Take(BuildEvent one)
    {
        if (one.Context is not { } ids)
        {
            return;
        }

        switch (one.Kind)
        {
            case BuildEventKind.ProjectStarted:
                _projects[ids.ProjectContext] = (one.Text("ProjectFile") ?? string.Empty, Framework(one));
                break;
            case BuildEventKind.TargetStarted:
                _targets[(ids.ProjectContext, ids.Target)] = one.Text("TargetName") ?? string.Empty;
                break;
            case BuildEventKind.TaskStarted:
                _tasks[(ids.ProjectContext, ids.Task)] = one.Text("TaskName") ?? string.Empty;
                break;
            default:
                break;
        }
    }

    /// <summary>Returns the path of the event's project file; empty if it belongs to none.</summary>
    public string Project(BuildEvent one) =>
        one.Context is { } ids && _projects.TryGetValue(ids.ProjectContext, out (string File, string Framework) known) ? known.File
            : one.Text("ProjectFile") ?? string.Empty;

    /// <summary>Returns the event's project for a person: the file's name, and the framework if it has several.</summary>
    public string ProjectTitle(BuildEvent one)
    {
        string framework = one.Context is { } ids && _projects.TryGetValue(ids.ProjectContext, out (string File, string Framework) known)
            ? known.Framework : string.Empty;
        return Title(Project(one), framework);
    }

    /// <summary>Returns the name of the event's target; empty if it belongs to none.</summary>
    public string Target(BuildEvent one) => one.Context is not { } ids ? string.Empty
        : _targets.TryGetValue((ids.ProjectContext, ids.Target), out string? name) ? name
        : one.Kind == BuildEventKind.TargetSkipped ? one.Text("TargetName") ?? string.Empty : string.Empty;

    /// <summary>Returns the name of the event's task; empty if it belongs to none.</summary>
    public string Task(BuildEvent one) => one.Context is { } ids && _tasks.TryGetValue((ids.ProjectContext, ids.Task), out string? name)
        ? name : string.Empty;

    /// <summary>Returns the context of the project that asked for one.</summary>
    /// <param name="started">The event of its beginning.</param>
    /// <returns>The context; -1 if the build itself did.</returns>
    public static int ParentOf(BuildEvent started) =>
        started.List("ParentProjectBuildEventContext") is { Count: >= 5 } context && context[4] is long parent ? (int)parent : -1;

    /// <summary>Returns the project that an event is the beginning of, for a person: as <see cref="ProjectTitle"/>, without what came
    /// before.</summary>
    public static string TitleOf(BuildEvent started) => Title(started.Text("ProjectFile") ?? string.Empty, Framework(started));

    private static string Title(string file, string framework) =>
        framework.Length > 0 ? $"{Path.GetFileName(file)} {framework}" : Path.GetFileName(file);

    private static string Framework(BuildEvent started)
    {
        if (started.Map("GlobalProperties") is { } properties)
        {
            foreach ((string name, string? value) in properties.Entries)
            {
                if (name.Equals("TargetFramework", StringComparison.OrdinalIgnoreCase))
                {
                    return value ?? string.Empty;
                }
            }
        }

        return string.Empty;
    }
}
