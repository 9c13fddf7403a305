using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using Transport.MSBuild;

namespace Transport.Tool;

/// <summary>Where a build stands: what each node is on, who waits for whom, counts. Fed with its events, asked for a picture at any time.
/// Safe from any thread.</summary>
internal sealed class BuildState
{
    private readonly Lock _gate = new();
    // All below: under the lock.
    private readonly SortedDictionary<string, LinkedList<ProjectActivity>> _nodes = new(NodeOrder.Instance);
    private readonly Dictionary<int, ProjectActivity> _open = [];
    private long _events, _first, _last;
    private readonly Dictionary<string, int> _projects = new(StringComparer.Ordinal);   // each with how often it is being built now
    private readonly HashSet<string> _failed = new(StringComparer.Ordinal);
    private int _warnings, _errors;
    private BuildVerdict _verdict = new();

    /// <summary>Forgets all: another build begins.</summary>
    public void Reset()
    {
        lock (_gate)
        {
            _verdict = new BuildVerdict();
            _nodes.Clear();
            _open.Clear();
            _projects.Clear();
            _failed.Clear();
            (_events, _first, _last, _warnings, _errors) = (0, 0, 0, 0, 0);
        }
    }

    /// <summary>Takes an event in.</summary>
    /// <param name="node">The node of the journal that it is from.</param>
    /// <param name="one">The event.</param>
    public void Take(string node, BuildEvent one)
    {
        lock (_gate)
        {
            _events++;
            _verdict.Take(node, one);
            _first = _first == 0 ? one.Ticks : _first;
            _last = Math.Max(_last, one.Ticks);
            switch (one.Kind)
            {
                case BuildEventKind.ProjectStarted:
                    Begin(node, one);
                    break;
                case BuildEventKind.ProjectFinished:
                    End(one);
                    break;
                case BuildEventKind.TargetStarted:
                    On(one, activity => (activity.Target, activity.Task, activity.Since) =
                        (one.Text("TargetName") ?? string.Empty, string.Empty, one.Ticks));
                    break;
                case BuildEventKind.TaskStarted:
                    On(one, activity => (activity.Task, activity.Since) = (one.Text("TaskName") ?? string.Empty, one.Ticks));
                    break;
                case BuildEventKind.TaskFinished:
                    On(one, activity => (activity.Task, activity.Since) = (string.Empty, one.Ticks));
                    break;
                default:
                    _warnings += BuildEventText.IsWarning(one.Kind) ? 1 : 0;
                    _errors += BuildEventText.IsError(one.Kind) ? 1 : 0;
                    break;
            }
        }
    }

    /// <summary>Returns where the build stands now.</summary>
    /// <param name="now">The time, in ticks of UTC.</param>
    public BuildPicture Look(long now)
    {
        lock (_gate)
        {
            NodePicture[] nodes = [.. _nodes.Select(node => Look(node.Key, node.Value, now))];
            int open = _projects.Values.Count(count => count > 0);
            return new BuildPicture(nodes, _projects.Count - open, _failed.Count, open, _events, _warnings, _errors,
                _first == 0 ? TimeSpan.Zero : new TimeSpan(Math.Max(0, (_verdict.Succeeded is null ? Math.Max(now, _last) : _last) - _first)),
                _verdict.Succeeded);
        }
    }

    /// <summary>The node's newest project that waits for nobody; if all wait, the newest.</summary>
    private NodePicture Look(string name, LinkedList<ProjectActivity> projects, long now)
    {
        LinkedListNode<ProjectActivity>? last = projects.Last;
        while (last?.Value.Waits == true)
        {
            last = last.Previous;
        }

        ProjectActivity? current = (last ?? projects.Last)?.Value;
        if (current is null)
        {
            return new NodePicture(name, string.Empty, string.Empty, string.Empty, TimeSpan.Zero, []);
        }

        string[] waits = !current.Waits ? [] : current.Children == 0 ? ["a node"]
            : [.. _open.Values.Where(one => one.Parent == current.Id).Select(one => $"{one.Title} on {one.Node}")];
        return new NodePicture(
            name, current.Title, current.Target, current.Task, new TimeSpan(Math.Max(0, now - current.Since)), waits);
    }

    private void Begin(string node, BuildEvent one)
    {
        if (one.Context is not { } ids)
        {
            return;
        }

        int parent = BuildNames.ParentOf(one);
        var activity = new ProjectActivity(ids.ProjectContext, BuildNames.TitleOf(one), NameOf(node, ids.Node), parent, IsQuestion(one))
        {
            Since = one.Ticks,
        };
        _open[activity.Id] = activity;
        if (!activity.IsQuestion)
        {
            _projects[activity.Title] = _projects.GetValueOrDefault(activity.Title) + 1;
        }

        if (!_nodes.TryGetValue(activity.Node, out LinkedList<ProjectActivity>? projects))
        {
            _nodes[activity.Node] = projects = [];
        }

        activity.Place = projects.AddLast(activity);
        if (_open.TryGetValue(parent, out ProjectActivity? waiting))
        {
            waiting.Children++;
        }
    }

    private void End(BuildEvent one)
    {
        if (one.Context is not { } ids || !_open.Remove(ids.ProjectContext, out ProjectActivity? activity))
        {
            return;
        }

        // A project may be built several times, for each of its frameworks: it counts once.
        if (!activity.IsQuestion)
        {
            _projects[activity.Title]--;
        }

        if (!one.Flag("Succeeded"))
        {
            _failed.Add(activity.Title);
        }

        activity.Place!.List!.Remove(activity.Place);
        if (_open.TryGetValue(activity.Parent, out ProjectActivity? waiting))
        {
            waiting.Children--;
            waiting.Since = one.Ticks;
        }
    }

    /// <summary>By MSBuild's convention the targets that only answer begin so: GetTargetFrameworks, GetTargetPath.</summary>
    private static bool IsQuestion(BuildEvent one) => one.Text("TargetNames") is { Length: > 0 } targets
        && Array.TrueForAll(targets.Split(';'), target => target.TrimStart('_').StartsWith("Get", StringComparison.Ordinal));

    private void On(BuildEvent one, Action<ProjectActivity> change)
    {
        if (one.Context is { } ids && _open.TryGetValue(ids.ProjectContext, out ProjectActivity? activity))
        {
            change(activity);

            // What moved last is what the node is on.
            LinkedListNode<ProjectActivity> place = activity.Place!;
            LinkedList<ProjectActivity> projects = place.List!;
            projects.Remove(place);
            projects.AddLast(place);
        }
    }

    /// <summary>Returns the name of a node: a worker that builds by itself is one; of a build that starts MSBuild's own nodes each
    /// is.</summary>
    /// <param name="journalNode">The node of the journal.</param>
    /// <param name="node">MSBuild's id of the node.</param>
    public static string NameOf(string journalNode, int node)
    {
        string build = BuildNames.BuildOf(journalNode);
        return !build.StartsWith("build", StringComparison.Ordinal) ? journalNode
            : string.Create(CultureInfo.InvariantCulture, $"{(build == "build" ? string.Empty : build + ' ')}node {node % 1000}");
    }
}
