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

    private const int WorthKeeping = 8;

    private readonly List<PathStep> _steps = [];
    private readonly bool[] _visited;   // of each project, by its number
    private readonly Dictionary<ProjectSpan, List<(long Start, long End)>> _waits = [];
    private readonly ProjectSpan[] _byEnd;
    private readonly int[] _before;   // of each of them, where to go on if the path has been there

    private CriticalPath(IEnumerable<ProjectSpan> projects)
    {
        _byEnd = [.. projects.OrderBy(project => project.End)];
        _visited = new bool[_byEnd.Length];
        _before = [.. Enumerable.Range(-1, _byEnd.Length)];
    }

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
        _visited[last.Number] = true;
        while (project is not null)
        {
            (long start, long end) = WaitBefore(project, time);
            if (time > start && time <= end)
            {
                if (Released(project, start, time) is { } child)
                {
                    Add(project, child.End, time);
                    _visited[child.Number] = true;
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
                _visited[before.Number] = true;
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
            waits = Merged(project);
            if (waits.Count > WorthKeeping)
            {
                _waits[project] = waits;
            }
        }

        int index = CountWhere(waits.Count, at => waits[at].Start < time) - 1;
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
        int i = Unvisited(CountWhere(_byEnd.Length, at => _byEnd[at].End <= until) - 1);
        i = i >= 0 && _byEnd[i] == waiting ? Unvisited(i - 1) : i;
        return i >= 0 && _byEnd[i].End > after ? _byEnd[i] : null;
    }

    /// <summary>Returns the last project up to an index that the path may still go through; -1: none. What it passes over is passed over
    /// at once the next time.</summary>
    private int Unvisited(int from)
    {
        int found = from;
        while (found >= 0 && !IsOpen(found))
        {
            found = _before[found];
        }

        for (int i = from; i > found;)
        {
            (i, _before[i]) = (_before[i], found);
        }

        return found;
    }

    private bool IsOpen(int index) => _byEnd[index].Ticks > 0 && !_visited[_byEnd[index].Number];

    /// <summary>Counts how many of a sorted list's elements come before the first that a condition does not hold for.</summary>
    private static int CountWhere(int count, Func<int, bool> holds)
    {
        int low = 0, high = count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = holds(middle) ? (middle + 1, high) : (low, middle);
        }

        return low;
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
