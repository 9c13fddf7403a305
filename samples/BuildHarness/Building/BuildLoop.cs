using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using BuildHarness.Display;
using BuildHarness.Packets;
using BuildHarness.Planning;
using BuildHarness.Scheduling;
using BuildHarness.Summary;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Building;

/// <summary>The main loop: hears one piece of news at a time, never waits for anything else, and never touches an event.</summary>
internal sealed class BuildLoop(
    WorkerFleet fleet, EventFeed feed, IDisplay display, BuildVerbosity verbosity, int nodes, TimeProvider clock,
    BuildTrace? trace = null, Collection? outputs = null)
{
    /// <summary>Workers that end before they have a link: more than this in a row and there is no use in starting another.</summary>
    private const int MostFailedStarts = 3;

    private readonly HashSet<FleetNode> _idle = [];
    private readonly Dictionary<FleetNode, long> _since = [];
    private BuildPlan? _plan;
    private Scheduler? _scheduler;
    private long[] _ms = [];
    private int _failedStarts;
    private string? _stopped;

    /// <summary>Gets a value indicating whether no worker has anything left to do.</summary>
    public bool IsDone => _scheduler is { IsDone: true } && _stopped is null;

    /// <summary>Gets a value indicating whether everything was built.</summary>
    public bool Succeeded => _scheduler is { IsDone: true } && _stopped is null
        && _scheduler.Outcomes.All(o => o.State == ProjectState.Succeeded);

    /// <summary>Runs until all is built, or something says stop.</summary>
    /// <exception cref="HarnessException">No worker can be started.</exception>
    public async Task RunAsync()
    {
        while (_stopped is null && _scheduler is not { IsDone: true })
        {
            Hear(await fleet.News.ReadAsync().ConfigureAwait(false));
        }
    }

    /// <summary>Hears what came while the workers ended; what is still being built then was stopped.</summary>
    public void Finish()
    {
        _stopped ??= string.Empty;
        while (fleet.News.TryRead(out FleetNews? news))
        {
            Hear(news);
        }

        if (_stopped.Length == 0)
        {
            _stopped = null;
        }
    }

    public IReadOnlyList<ProjectSummary> Projects() => _plan is null || _scheduler is null ? [] : [.. _plan.Projects.Select(Summarize)];

    private ProjectSummary Summarize(PlannedProject project)
    {
        ProjectOutcome outcome = _scheduler!.Outcomes[project.Id];
        string result = outcome.State switch
        {
            ProjectState.Succeeded => "succeeded",
            ProjectState.Skipped or ProjectState.Waiting => "skipped",
            ProjectState.Stopped or ProjectState.Building => "stopped",
            _ => "failed",
        };
        return new ProjectSummary(
            project.Path, project.Framework, result, outcome.Attempts == 0 ? null : outcome.Node, outcome.Attempts, _ms[project.Id]);
    }

    private void Hear(FleetNews news)
    {
        switch (news)
        {
            case FleetNews.Planned planned:
                outputs?.Plan(planned.Plan.Projects);
                Begin(planned.Plan);
                break;
            case FleetNews.Ready ready:
                _failedStarts = 0;
                _idle.Add(ready.Node);
                display.Node(ready.Node.Id, string.Empty);
                if (verbosity >= BuildVerbosity.Normal)
                {
                    display.Line($"{ready.Node.Worker} is ready");
                }

                break;
            case FleetNews.Built built:
                Built(built.Node, built.Result);
                break;
            case FleetNews.Ended ended:
                Ended(ended.Node, ended.End);
                break;
            case FleetNews.Failed failed:
                failed.Fault.Throw();
                break;
            case FleetNews.Stop stop:
                _stopped = stop.Reason;
                feed.Stop();
                if (stop.Plan is not null && _scheduler is null)
                {
                    Begin(stop.Plan);
                }

                _scheduler?.Stop();
                return;
        }

        if (_stopped is null)
        {
            Assign();
        }

        display.Progress(_scheduler?.Outcomes.Count(o => o.IsFinal) ?? 0, _plan?.Projects.Count ?? 0, feed.Events);
    }

    private void Begin(BuildPlan plan)
    {
        _plan = plan;
        feed.Plan(plan.Projects);
        _scheduler = new Scheduler(plan);
        _ms = new long[plan.Projects.Count];
    }

    private void Assign()
    {
        if (_scheduler is null)
        {
            return;
        }

        foreach (FleetNode node in _idle.OrderBy(n => n.Id, StringComparer.Ordinal).ToArray())
        {
            if (_scheduler.Next(node.Id) is not { } project)
            {
                return;
            }

            _idle.Remove(node);
            _since[node] = clock.GetTimestamp();
            display.Node(node.Id, project.Title);
            OutputsWanted wanted = outputs?.Begin(node.Id, project) ?? OutputsWanted.None;

            node.Begin(project.Id, project.Title);

            // Never Full: a worker gets one order at a time. Closed: its end is the next that is heard of it.
            _ = node.Link!.TrySend(BuildProject.PacketType, new BuildProject(
                project.Id, project.Path, project.Properties, wanted, wanted == OutputsWanted.None ? string.Empty : project.OutputFolder,
                project.Targets));
        }
    }

    private void Built(FleetNode node, ProjectBuilt result)
    {
        // The link's handler has let through only what this node was given; its end comes behind.
        PlannedProject project = _plan!.Projects[result.Id];
        if (result.Error is { } error)
        {
            feed.Diagnostic(node.Id, $"{project.Path} : error: {error}", isError: true);
        }

        _ms[project.Id] = result.Milliseconds;
        IReadOnlyList<PlannedProject> skipped = _scheduler!.Finished(node.Id, result.Succeeded);
        _idle.Add(node);
        display.Node(node.Id, string.Empty);
        ProjectState state = _scheduler.Outcomes[project.Id].State;
        string word = result.Succeeded ? "succeeded" : state == ProjectState.Stopped ? "stopped" : "failed";
        trace?.Project(node.Id, project.Title, _since[node], word);
        Say(project, word, node.Id, result.Succeeded ? LineKind.Good : LineKind.Error);
        SaySkipped(project, skipped);
    }

    private void Ended(FleetNode node, WorkerExit end)
    {
        _idle.Remove(node);
        display.Node(node.Id, activity: null);
        long since = _since.GetValueOrDefault(node, clock.GetTimestamp());
        LostProject? lost = _scheduler?.Died(node.Id);
        if (lost is not null)
        {
            _ms[lost.Project.Id] = (long)clock.GetElapsedTime(since).TotalMilliseconds;
            trace?.Project(node.Id, lost.Project.Title, since, "lost: " + end.Cause);
        }

        if (_stopped is not null)
        {
            // Asked to end because all is built, and it did not end well; after an interrupt nobody expects it to.
            if (_stopped.Length == 0 && !end.IsClean)
            {
                feed.Exit(end, $"{ExitBlock.Who(end)} after all was built");
            }

            return;
        }

        _failedStarts = end.Connected ? 0 : _failedStarts + 1;
        if (_failedStarts >= MostFailedStarts)
        {
            string words = end.LastErrorLines.Count == 0 ? "it wrote nothing on stderr" : "it said: " + end.LastErrorLines[^1];
            throw new HarnessException($"{MostFailedStarts} workers in a row ended before they were of use; the last, {node.Id} (pid "
                + $"{end.ProcessId}), {end.Cause}; {words}");
        }

        // The successor first, so that the sentence can name it.
        string? next = _scheduler is { IsDone: true } || fleet.Nodes.Count(n => !n.Worker.WaitForExitAsync().IsCompleted) >= nodes
            ? null : fleet.Add().Id;
        string who = ExitBlock.Who(end);
        switch (lost)
        {
            case null:
                feed.Exit(end, $"{who} while it built nothing{(next is null ? string.Empty : $"; {next} takes its place")}");
                break;
            case { WillRetry: true }:
                feed.Exit(end, $"{who} while it built {lost.Project.Title}; it is built once "
                    + $"more{(next is null ? string.Empty : $", {next} takes the place of {node.Id}")}");
                break;
            default:
                feed.Exit(end, $"{lost.Project.Path} : error HARNESS001: {who} while it built {lost.Project.Title} for the second time: "
                    + "no third attempt", isError: true);
                Say(lost.Project, "failed", node.Id, LineKind.Error);
                SaySkipped(lost.Project, lost.Skipped);
                break;
        }
    }

    private void Say(PlannedProject project, string result, string node, LineKind kind)
    {
        if (verbosity >= BuildVerbosity.Minimal)
        {
            display.Line(string.Create(
                CultureInfo.InvariantCulture, $"{project.Title} {result} in {_ms[project.Id] / 1000.0:0.0} s on {node}"), kind);
        }
    }

    private void SaySkipped(PlannedProject because, IReadOnlyList<PlannedProject> skipped)
    {
        if (verbosity < BuildVerbosity.Minimal)
        {
            return;
        }

        foreach (PlannedProject project in skipped)
        {
            display.Line($"{project.Title} skipped, because {because.Title} failed", LineKind.Warning);
        }
    }
}
