using System;
using System.Collections.Generic;
using System.Linq;
using BuildHarness.Planning;
using Transport.MSBuild;

namespace BuildHarness.Scheduling;

/// <summary>
/// Decides which node builds what, and knows nothing of processes: its caller reports what happened and asks what comes next. Each project
/// is given out once, after all its references; the one with the longest chain of dependents first. A project whose node died is given out
/// once more. One thread.
/// </summary>
internal sealed class Scheduler
{
    /// <summary>How often a project may be given to a node that then dies.</summary>
    private const int MostAttempts = 2;

    private readonly IReadOnlyList<PlannedProject> _projects;
    private readonly ProjectOutcome[] _outcomes;
    private readonly List<int>[] _dependents;
    private readonly int[] _missing;
    private readonly int[] _height;
    private readonly PriorityQueue<int, (int Height, int Id)> _ready = new();
    private readonly Dictionary<string, int> _building = new(StringComparer.Ordinal);
    private bool _stopped;

    public Scheduler(BuildPlan plan)
    {
        _projects = plan.Projects;
        _outcomes = [.. _projects.Select(_ => new ProjectOutcome())];
        _dependents = [.. _projects.Select(_ => new List<int>())];
        _missing = [.. _projects.Select(p => p.References.Count)];
        _height = new int[_projects.Count];
        foreach (PlannedProject project in _projects)
        {
            foreach (int reference in project.References)
            {
                _dependents[reference].Add(project.Id);
            }
        }

        // References come first in the plan, so dependents have their height before.
        for (int id = _projects.Count - 1; id >= 0; id--)
        {
            _height[id] = _dependents[id].Select(d => _height[d] + 1).DefaultIfEmpty().Max();
        }

        foreach (PlannedProject project in _projects.Where(p => p.References.Count == 0))
        {
            MakeReady(project.Id);
        }
    }

    public IReadOnlyList<ProjectOutcome> Outcomes => _outcomes;

    public bool IsDone => Array.TrueForAll(_outcomes, o => o.IsFinal);

    /// <summary>Gets how many projects a node could take right now.</summary>
    public int Ready => _stopped ? 0 : _ready.Count;

    /// <summary>Gets a value indicating whether nothing is being built and nothing can be given out.</summary>
    public bool IsIdle => _building.Count == 0 && Ready == 0;

    public bool IsBusy(string node) => _building.ContainsKey(node);

    /// <summary>Returns what a node builds, or null.</summary>
    public PlannedProject? Of(string node) => _building.TryGetValue(node, out int id) ? _projects[id] : null;

    /// <summary>Gives the next project to a node that builds none.</summary>
    /// <returns>The project, or null if none is ready.</returns>
    public PlannedProject? Next(string node)
    {
        if (_building.ContainsKey(node))
        {
            throw new InvalidOperationException($"{node} is still building {_projects[_building[node]].Name}.");
        }

        if (_stopped || !_ready.TryDequeue(out int id, out _))
        {
            return null;
        }

        _building.Add(node, id);
        ProjectOutcome outcome = _outcomes[id];
        outcome.State = ProjectState.Building;
        outcome.Node = node;
        outcome.Attempts++;
        return _projects[id];
    }

    /// <summary>A node has built its project.</summary>
    /// <returns>The projects that will not be built because of it.</returns>
    public IReadOnlyList<PlannedProject> Finished(string node, bool succeeded)
    {
        int id = _building[node];
        _building.Remove(node);
        return Settle(id, succeeded);
    }

    /// <summary>A node is gone, or has no use any more.</summary>
    /// <returns>What that means for the project it was on; null if it was on none.</returns>
    public LostProject? Died(string node)
    {
        if (!_building.Remove(node, out int id))
        {
            return null;
        }

        if (_outcomes[id].Attempts < MostAttempts && !_stopped)
        {
            _outcomes[id].State = ProjectState.Waiting;
            MakeReady(id);
            return new LostProject(_projects[id], WillRetry: true, []);
        }

        return new LostProject(_projects[id], WillRetry: false, Settle(id, succeeded: false));
    }

    /// <summary>Gives nothing out any more; what waits is skipped, what is being built may still finish.</summary>
    public void Stop()
    {
        _stopped = true;
        foreach (ProjectOutcome outcome in _outcomes.Where(o => o.State == ProjectState.Waiting))
        {
            outcome.State = ProjectState.Skipped;
            outcome.Node = null;
        }
    }

    private List<PlannedProject> Settle(int id, bool succeeded)
    {
        _outcomes[id].State = succeeded ? ProjectState.Succeeded : _stopped ? ProjectState.Stopped : ProjectState.Failed;
        var skipped = new List<PlannedProject>();
        foreach (int dependent in _dependents[id])
        {
            if (succeeded)
            {
                if (--_missing[dependent] == 0 && _outcomes[dependent].State == ProjectState.Waiting)
                {
                    MakeReady(dependent);
                }
            }
            else
            {
                Skip(dependent, id, skipped);
            }
        }

        return skipped;
    }

    private void Skip(int id, int because, List<PlannedProject> skipped)
    {
        if (_outcomes[id].State != ProjectState.Waiting)
        {
            return;
        }

        _outcomes[id].State = ProjectState.Skipped;
        _outcomes[id].SkippedFor = because;
        skipped.Add(_projects[id]);
        foreach (int dependent in _dependents[id])
        {
            Skip(dependent, because, skipped);
        }
    }

    private void MakeReady(int id) => _ready.Enqueue(id, (-_height[id], id));
}

/// <summary>The project that a node was on when it died.</summary>
/// <param name="Project">The project.</param>
/// <param name="WillRetry">True if it is given out once more; else it has failed.</param>
/// <param name="Skipped">The projects that will not be built because of it.</param>
internal sealed record LostProject(PlannedProject Project, bool WillRetry, IReadOnlyList<PlannedProject> Skipped);
