using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>A build as a whole: its projects, targets and tasks as stretches of time, its diagnostics, what it waited for. One
/// thread.</summary>
internal sealed class BuildModel
{
    private readonly Dictionary<string, string> _nodes = new(StringComparer.Ordinal);   // each name once
    private readonly Dictionary<int, ProjectSpan> _projects = [];
    private readonly Dictionary<(int Project, int Target), TargetSpan> _targets = [];
    private readonly Dictionary<(int Project, int Task), TaskSpan> _tasks = [];
    private readonly HashSet<Diagnostic> _known = [];
    private readonly BuildVerdict _verdict = new();

    private BuildModel()
    {
    }

    /// <summary>Gets the builds of projects in the order in which they began.</summary>
    public List<ProjectSpan> Projects { get; } = [];

    /// <summary>Gets the build's name: that of the project or solution that it was begun with.</summary>
    public string Name => Projects.FirstOrDefault()?.Name ?? "build";

    /// <summary>Gets the nodes that built projects, in the order of their names.</summary>
    public IEnumerable<string> Nodes => Projects.Select(project => project.Node).Distinct().Order(NodeOrder.Instance);

    /// <summary>Gets warnings and errors in their order.</summary>
    public List<Diagnostic> Diagnostics { get; } = [];

    /// <summary>Gets the messages that are shown at normal verbosity, in their order.</summary>
    public List<(ProjectSpan? Project, long Time, string Text)> Messages { get; } = [];

    /// <summary>Gets when the first event was raised, in ticks of UTC; 0: there was none.</summary>
    public long Start { get; private set; }

    /// <summary>Gets when the last event was raised.</summary>
    public long End { get; private set; }

    /// <summary>Gets how many events there are.</summary>
    public long Events { get; private set; }

    /// <summary>Gets whether the build has succeeded; null: it was cut off.</summary>
    public bool? Succeeded => _verdict.Succeeded;

    /// <summary>Reads a journal.</summary>
    /// <exception cref="ToolException">It cannot be read.</exception>
    public static BuildModel Of(BuildLog log)
    {
        var model = new BuildModel();
        foreach (LoggedEvent one in log.ReadAll())
        {
            model.Take(one.Node, one.Event);
        }

        model.CloseOpen();
        return model;
    }

    /// <summary>Returns what the build waited for, from its beginning to its end.</summary>
    public IReadOnlyList<PathStep> CriticalPath() => Tool.CriticalPath.Of(Projects);

    /// <summary>Gives each build of a project a track of its node that is free for its time: one that waits lets others begin.</summary>
    /// <returns>The tracks, in the order of the projects.</returns>
    public IReadOnlyList<int> Tracks()
    {
        int[] tracks = new int[Projects.Count];
        foreach (IGrouping<string, ProjectSpan> node in Projects.GroupBy(project => project.Node, StringComparer.Ordinal))
        {
            var free = new PriorityQueue<int, int>();
            var busyUntil = new PriorityQueue<int, long>();
            foreach (ProjectSpan project in node.OrderBy(project => project.Start))
            {
                while (busyUntil.TryPeek(out int over, out long until) && until <= project.Start)
                {
                    free.Enqueue(over, over);
                    _ = busyUntil.Dequeue();
                }

                int track = free.TryDequeue(out int lowest, out _) ? lowest : busyUntil.Count;
                busyUntil.Enqueue(track, Math.Max(project.End, project.Start + 1));
                tracks[project.Number] = track;
            }
        }

        return tracks;
    }

    private void Take(string node, BuildEvent one)
    {
        Events++;
        _verdict.Take(node, one);
        Start = Start == 0 ? one.Ticks : Start;
        End = Math.Max(End, one.Ticks);
        BuildEventIds ids = one.Context ?? default;
        switch (one.Kind)
        {
            case BuildEventKind.ProjectStarted:
                Begin(node, one, ids);
                break;
            case BuildEventKind.ProjectFinished when _projects.TryGetValue(ids.ProjectContext, out ProjectSpan? project):
                (project.End, project.Succeeded) = (one.Ticks, one.Flag("Succeeded"));
                break;
            case BuildEventKind.TargetStarted when _projects.TryGetValue(ids.ProjectContext, out ProjectSpan? project):
                var begun = new TargetSpan(project, one.Text("TargetName") ?? string.Empty, one.Ticks);
                project.Add(begun);
                _targets[(ids.ProjectContext, ids.Target)] = begun;
                break;
            case BuildEventKind.TargetFinished when _targets.TryGetValue((ids.ProjectContext, ids.Target), out TargetSpan? target):
                (target.End, target.Succeeded) = (one.Ticks, one.Flag("Succeeded"));
                break;
            case BuildEventKind.TaskStarted when _targets.TryGetValue((ids.ProjectContext, ids.Target), out TargetSpan? target):
                var running = new TaskSpan(target, one.Text("TaskName") ?? string.Empty, one.Ticks);
                target.Add(running);
                _tasks[(ids.ProjectContext, ids.Task)] = running;
                break;
            case BuildEventKind.TaskFinished when _tasks.TryGetValue((ids.ProjectContext, ids.Task), out TaskSpan? task):
                (task.End, task.Succeeded) = (one.Ticks, one.Flag("Succeeded"));
                break;
            default:
                if (BuildEventText.IsError(one.Kind) || BuildEventText.IsWarning(one.Kind))
                {
                    Add(one);
                }
                else if (BuildEventText.LevelOf(one) <= BuildVerbosity.Normal && one.Message is { Length: > 0 } text)
                {
                    Messages.Add((_projects.GetValueOrDefault(ids.ProjectContext), one.Ticks, text));
                }

                break;
        }
    }

    private void Begin(string node, BuildEvent one, BuildEventIds ids)
    {
        string name = BuildState.NameOf(node, ids.Node);
        var project = new ProjectSpan(Projects.Count, ids.ProjectContext, BuildNames.TitleOf(one), one.Text("ProjectFile") ?? string.Empty,
            one.Text("TargetNames") ?? string.Empty, _nodes.TryGetValue(name, out string? known) ? known : _nodes[name] = name, one.Ticks);
        if (_projects.TryGetValue(BuildNames.ParentOf(one), out ProjectSpan? asked))
        {
            asked.Add(project);
        }

        _projects[project.Id] = project;
        Projects.Add(project);
    }

    private void Add(BuildEvent one)
    {
        string file = one.Text("File") ?? string.Empty, project = one.Text("ProjectFile") ?? string.Empty;
        // What a command wrote without a place of its own: no file has that name.
        file = file == "EXEC" ? string.Empty : file;
        if (file.Length > 0 && !Path.IsPathRooted(file) && Path.GetDirectoryName(project) is { Length: > 0 } folder)
        {
            file = Path.Combine(folder, file);
        }

        var found = new Diagnostic(BuildEventText.IsError(one.Kind), one.Text("Code") ?? string.Empty, one.Message ?? string.Empty, file,
            one.Number("LineNumber"), one.Number("ColumnNumber"), one.Number("EndLineNumber"), project);
        if (_known.Add(found))
        {
            Diagnostics.Add(found);
        }
    }

    /// <summary>What a killed build left open ends with its last event.</summary>
    private void CloseOpen()
    {
        IEnumerable<BuildSpan> all = [.. Projects, .. _targets.Values, .. _tasks.Values];
        foreach (BuildSpan span in all)
        {
            span.End = span.Succeeded is null ? End : span.End;
        }
    }
}
