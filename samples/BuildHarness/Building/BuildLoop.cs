using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using BuildHarness.Display;
using BuildHarness.Farm;
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
    BuildTrace? trace = null, Collection? outputs = null, FarmHome? farm = null)
{
    /// <summary>Workers that end before they have a link: more than this in a row and there is no use in starting another.</summary>
    private const int MostFailedStarts = 3;

    private readonly HashSet<BuildNode> _idle = [];
    private readonly Dictionary<BuildNode, long> _since = [];
    private BuildPlan? _plan;
    private Scheduler? _scheduler;
    private long[] _ms = [];
    private string?[] _where = [];   // by project, who was the last to have it
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
            project.Path, project.Framework, result, outcome.Attempts == 0 ? null : _where[project.Id], outcome.Attempts, _ms[project.Id]);
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
            case FleetNews.Begun begun:
                _since[begun.Node] = clock.GetTimestamp();
                if (_scheduler!.Of(begun.Node.Id) is { } project)
                {
                    _where[project.Id] = begun.Node.Where;
                    display.Node(begun.Node.Where, project.Title);
                }

                break;
            case FleetNews.Lost lost:
                Lost(lost);
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
        (_ms, _where) = (new long[plan.Projects.Count], new string?[plan.Projects.Count]);
    }

    private void Assign()
    {
        if (_scheduler is null)
        {
            return;
        }

        foreach (BuildNode node in Free())
        {
            if (_scheduler.Next(node.Id) is not { } project)
            {
                return;
            }

            _idle.Remove(node);
            _since[node] = clock.GetTimestamp();
            _where[project.Id] = node.Where;
            display.Node(node.Where, project.Title);
            node.Give(project, outputs?.Begin(node.Id, project) ?? OutputsWanted.None);
        }
    }

    /// <summary>Returns what can take a project: workers here, then the farm, for as long as it wants one more to wait there.</summary>
    private IEnumerable<BuildNode> Free()
    {
        foreach (BuildNode node in _idle.OrderBy(n => n.Id, StringComparer.Ordinal).ToArray())
        {
            yield return node;
        }

        while (farm?.Next() is { } node)
        {
            yield return node;
        }
    }

    private void Built(BuildNode node, ProjectBuilt result)
    {
        // Only what this node was given comes through; its end comes behind.
        PlannedProject project = _plan!.Projects[result.Id];
        if (result.Error is { } error)
        {
            feed.Diagnostic(node.Where, $"{project.Path} : error: {error}", isError: true);
        }

        _ms[project.Id] = result.Milliseconds;
        IReadOnlyList<PlannedProject> skipped = _scheduler!.Finished(node.Id, result.Succeeded);
        _where[project.Id] = node.Where;
        if (node is FleetNode)
        {
            _idle.Add(node);
        }

        display.Node(node.Where, string.Empty);
        ProjectState state = _scheduler.Outcomes[project.Id].State;
        string word = result.Succeeded ? "succeeded" : state == ProjectState.Stopped ? "stopped" : "failed";
        trace?.Project(node.Where, project.Title, _since[node], word);
        Say(project, word, node.Where, result.Succeeded ? LineKind.Good : LineKind.Error);
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
                feed.Exit(end, NoThirdAttempt(who, lost.Project), isError: true);
                SayLost(lost, node.Id);
                break;
        }
    }

    /// <summary>What a machine of the farm had is built once more, as after the end of a worker here.</summary>
    private void Lost(FleetNews.Lost news)
    {
        display.Node(news.Node.Where, string.Empty);
        LostProject lost = _scheduler!.Died(news.Node.Id)!;
        long since = _since.GetValueOrDefault(news.Node, clock.GetTimestamp());
        _ms[lost.Project.Id] = (long)clock.GetElapsedTime(since).TotalMilliseconds;
        trace?.Project(news.Node.Where, lost.Project.Title, since, "lost: " + news.Who);
        if (_stopped is not null)
        {
            return;   // it was cancelled
        }

        if (lost.WillRetry)
        {
            feed.Exit(
                news.Node.Where, $"{news.Who} while it built {lost.Project.Title}; it is built once more", news.Details, isError: false);
            return;
        }

        feed.Exit(news.Node.Where, NoThirdAttempt(news.Who, lost.Project), news.Details, isError: true);
        SayLost(lost, news.Node.Where);
    }

    private static string NoThirdAttempt(string who, PlannedProject project) =>
        $"{project.Path} : error HARNESS001: {who} while it built {project.Title} for the second time: no third attempt";

    private void SayLost(LostProject lost, string where)
    {
        Say(lost.Project, "failed", where, LineKind.Error);
        SaySkipped(lost.Project, lost.Skipped);
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
