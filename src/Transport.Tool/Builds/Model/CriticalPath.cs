using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Tool;

/// <summary>What a build waited for, from its beginning to its end. One thread.</summary>
/// <remarks>
/// From the end back. While a project works, the path is in it. While it waits in an MSBuild task, the path goes on in the project that ended
/// last before then and within that wait, on whatever node, and whoever asked for it: what a project asks for is often being built already,
/// at the request of the solution. Where a project began, the path goes on in the same way in the one that asked for it.
/// </remarks>
internal sealed class CriticalPath
{
    /// <summary>The task that asks for other projects.</summary>
    private const string AskingTask = "MSBuild";

    private readonly List<PathStep> _steps = [];
    private readonly HashSet<ProjectSpan> _visited = [];
    private readonly Dictionary<ProjectSpan, List<(long Start, long End)>> _waits = [];
    private readonly ProjectSpan[] _byEnd;

    private CriticalPath(IEnumerable<ProjectSpan> projects) => _byEnd = [.. projects.OrderBy(project => project.End)];

    /// <summary>Returns the steps in the order of time.</summary>
    /// <param name="projects">All builds of projects.</param>
    public static IReadOnlyList<PathStep> Of(IReadOnlyCollection<ProjectSpan> projects)
    {
        var path = new CriticalPath(projects);
        if (projects.Where(project => project.Parent is null).MaxBy(project => project.End) is { } last)
        {
            path.Follow(last);
        }

        path._steps.Reverse();
        return path._steps;
    }

    private void Follow(ProjectSpan last)
    {
        ProjectSpan? project = last;
        long time = last.End;
        _visited.Add(last);
        while (project is not null)
        {
            (long start, long end) = WaitBefore(project, time);
            if (time > start && time <= end)
            {
                if (Released(project, start, time) is { } child)
                {
                    Add(project, child.End, time);
                    _visited.Add(child);
                    (project, time) = (child, child.End);
                }
                else
                {
                    time = start;   // it has just asked
                }

                continue;
            }

            long from = Math.Max(project.Start, Math.Min(end, time));
            Add(project, from, time);
            time = from;
            if (time > project.Start)
            {
                continue;
            }

            ProjectSpan? above = project.Parent;
            if (above is null && Released(project, 0, time) is { } before)
            {
                // The build itself, or a harness, asks for several projects, one after the other or as nodes become free.
                Add(project, before.End, time);
                _visited.Add(before);
                (project, time) = (before, before.End);
                continue;
            }

            project = above;
        }
    }

    /// <summary>Returns the last wait of a project that began before a time; an empty one at its start if there is none.</summary>
    private (long Start, long End) WaitBefore(ProjectSpan project, long time)
    {
        if (!_waits.TryGetValue(project, out List<(long Start, long End)>? waits))
        {
            _waits[project] = waits = Merged(project);
        }

        int index = waits.FindLastIndex(wait => wait.Start < time);
        return index < 0 ? (project.Start, project.Start) : waits[index];
    }

    private static List<(long Start, long End)> Merged(ProjectSpan project)
    {
        IEnumerable<BuildSpan> spans = project.OwnTargets.SelectMany(target => target.Tasks).Where(task => task.Name == AskingTask)
            .Concat<BuildSpan>(project.Children);
        var merged = new List<(long Start, long End)>();
        foreach (BuildSpan span in spans.Where(span => span.End > span.Start).OrderBy(span => span.Start))
        {
            if (merged.Count > 0 && span.Start <= merged[^1].End)
            {
                merged[^1] = (merged[^1].Start, Math.Max(merged[^1].End, span.End));
            }
            else
            {
                merged.Add((span.Start, span.End));
            }
        }

        return merged;
    }

    /// <summary>Returns the project that ended last up to a time, and behind another.</summary>
    private ProjectSpan? Released(ProjectSpan waiting, long after, long until)
    {
        for (int i = LastUntil(until); i >= 0 && _byEnd[i].End > after; i--)
        {
            ProjectSpan one = _byEnd[i];
            if (one != waiting && one.Ticks > 0 && !_visited.Contains(one))
            {
                return one;
            }
        }

        return null;
    }

    private int LastUntil(long time)
    {
        int low = 0, high = _byEnd.Length;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = _byEnd[middle].End <= time ? (middle + 1, high) : (low, middle);
        }

        return low - 1;
    }

    private void Add(ProjectSpan project, long from, long to)
    {
        if (to <= from)
        {
            return;
        }

        // What goes on in one project is one step.
        if (_steps.Count > 0 && _steps[^1].Project == project && _steps[^1].Start == to)
        {
            _steps[^1] = _steps[^1] with { Start = from };
            return;
        }

        _steps.Add(new PathStep(project, from, to));
    }
}
