using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using BuildHarness.Display;
using BuildHarness.Farm;
using BuildHarness.Packets;
using BuildHarness.Scheduling;
using BuildHarness.Summary;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Building;

/// <summary>The main loop: hears one piece of news at a time, never waits for anything else, and never touches an event.</summary>
/// <param name="fleet">The workers.</param>
/// <param name="feed">Takes diagnostics.</param>
/// <param name="display">Shows what happens.</param>
/// <param name="verbosity">How much of it.</param>
/// <param name="entry">The whole build, as a request.</param>
/// <param name="start">What workers are told first.</param>
/// <param name="nodes">How many workers there are to be.</param>
/// <param name="clock">The time.</param>
/// <param name="trace">Takes what was built when, or null.</param>
/// <param name="outputs">Collects, or null.</param>
/// <param name="farm">The farm, or null.</param>
internal sealed class BuildLoop(
    WorkerFleet fleet, EventFeed feed, IDisplay display, BuildVerbosity verbosity, ProjectWork entry, StartSession start, int nodes,
    TimeProvider clock, BuildTrace? trace = null, Collection? outputs = null, FarmHome? farm = null)
{
    /// <summary>Workers that end before they have a link: more than this in a row and there is no use in starting another.</summary>
    private const int MostFailedStarts = 3;

    private readonly Schedule _schedule = new(ProjectFile.References, start.AsErrors is not null);
    private readonly BuildClock _clock = new(clock, trace);
    private readonly Dictionary<string, BuildNode> _ready = new(StringComparer.Ordinal);
    private readonly Dictionary<Configuration, string> _where = [];   // who was the last to have it
    private readonly Dictionary<BuildNode, string?> _shown = [];       // what each is on, as it is shown
    private OutputRound? _collecting;
    private int _failedStarts;
    private string? _stopped;

    /// <summary>Gets a value indicating whether no worker has anything left to do.</summary>
    public bool IsDone => _schedule.Result is not null && _collecting is not { IsDone: false } && _stopped is null;

    /// <summary>Gets a value indicating whether everything was built.</summary>
    public bool Succeeded => _schedule.Succeeded && _stopped is null;

    /// <summary>Runs until all is built, or something says stop.</summary>
    /// <exception cref="HarnessException">No worker can be started.</exception>
    public async Task RunAsync()
    {
        while (_stopped is null && !IsDone)
        {
            Hear(await fleet.News.ReadAsync().ConfigureAwait(false));
        }
    }

    /// <summary>Hears what came while the workers ended; what is still being built then was stopped.</summary>
    public void Finish()
    {
        _stopped ??= string.Empty;
        _schedule.Stop();
        while (fleet.News.TryRead(out FleetNews? news))
        {
            Hear(news);
        }

        _schedule.Finish();
        if (_stopped.Length == 0)
        {
            _stopped = null;
        }
    }

    public IReadOnlyList<ProjectSummary> Projects() => [.. _schedule.Projects
        .OrderBy(one => one.Path, StringComparer.Ordinal).ThenBy(one => one.Framework, StringComparer.Ordinal).Select(Summarize)];

    private ProjectSummary Summarize(Configuration project) => new(
        project.Path, project.Framework,
        project.State switch
        {
            ProjectState.Succeeded => "succeeded",
            ProjectState.Skipped or ProjectState.Waiting => "skipped",
            ProjectState.Stopped or ProjectState.Building => "stopped",
            _ => "failed",
        },
        _where.GetValueOrDefault(project), project.Attempts, _clock.Of(project));

    private void Hear(FleetNews news)
    {
        switch (news)
        {
            case FleetNews.Prepared:
                Do(_schedule.Begin(entry));
                break;
            case FleetNews.Ready ready:
                Ready(ready.Node);
                break;
            case FleetNews.Asked asked:
                Pause(asked.Node, asked.Question.Request);
                Do(Believed(_schedule.Asked(asked.Node.Id, asked.Question), asked.Node));
                break;
            case FleetNews.Evaluated evaluated:
                _schedule.Evaluated(evaluated.Project);
                ShowNodes();
                return;
            case FleetNews.Built built:
                Built(built.Node, built.Result);
                break;
            case FleetNews.StandsStill still:
                Do(_schedule.StandsStill(still.Node.Id, still.Request.Id, still.Request.Round, still.Request.Events));
                break;
            case FleetNews.Sent sent:
                _collecting?.Sent(sent.Node, sent.Project);
                break;
            case FleetNews.Lost lost:
                Lost(lost);
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
                _schedule.Stop();
                return;
        }

        if (_stopped is null)
        {
            farm?.Want(_schedule.Waiting);
            Collect();
        }

        int done = _schedule.Projects.Count(one => one.State is not (ProjectState.Waiting or ProjectState.Building));
        display.Progress(done, _schedule.Projects.Count(), feed.Events);
    }

    private static IReadOnlyList<ScheduleMove> Believed(IReadOnlyList<ScheduleMove>? moves, BuildNode node) =>
        moves ?? throw new HarnessException($"{node.Where} tells of a request that it was not given.");

    private void Ready(BuildNode node)
    {
        _failedStarts = 0;
        _ready.Add(node.Id, node);
        display.Node(node.Where, string.Empty);
        if (verbosity >= BuildVerbosity.Normal)
        {
            display.Line($"{node.Where} is ready");
        }

        node.Send(StartSession.PacketType, start);
        Do(_schedule.Ready(node.Id));
    }

    private void Built(BuildNode node, ProjectBuilt result)
    {
        ScheduledRequest? request = _schedule.Of(node.Id).FirstOrDefault(one => one.Id == result.Id);
        if (request is not null)
        {
            _clock.Stop(request, node.Where, result.Result.Succeeded ? "succeeded" : "failed");
            if (result.Error is { } error)
            {
                feed.Diagnostic(node.Where, $"{request.Work.Path} : error: {error}", isError: true);
            }
        }

        Do(Believed(_schedule.Built(node.Id, result), node));
        if (outputs is not null && result.Project is { } project)
        {
            outputs.CheckBeside(new BuiltProject(0, project));
        }
    }

    private void Pause(BuildNode node, int id)
    {
        if (_schedule.Of(node.Id).FirstOrDefault(one => one.Id == id) is { } request)
        {
            _clock.Stop(request, node.Where, "asks");
        }
    }

    /// <summary>Does what the schedule wants.</summary>
    private void Do(IReadOnlyList<ScheduleMove> moves)
    {
        foreach (ScheduleMove move in moves)
        {
            switch (move)
            {
                case ScheduleMove.Give give:
                    BuildNode node = _ready[give.Node];
                    _where[give.Request.Configuration] = node.Where;
                    node.Give(give.Request);
                    _clock.Go(give.Request);
                    break;
                case ScheduleMove.Answer answer:
                    _ready[answer.Node].Send(AnswerProject.PacketType, new AnswerProject(answer.Question, answer.Result));
                    _clock.Go(answer.Parent);
                    break;
                case ScheduleMove.Watch watch:
                    _ready[watch.Node].Send(WatchProject.PacketType, new WatchProject(watch.Request.Id, watch.Round));
                    break;
                case ScheduleMove.Circle circle:
                    feed.Diagnostic("main", Circular(circle), isError: true);
                    break;
                case ScheduleMove.Settled settled:
                    Say(settled);
                    break;
            }
        }

        ShowNodes();
    }

    private void ShowNodes()
    {
        foreach (BuildNode node in _ready.Values)
        {
            string? title = _schedule.Shown(node.Id)?.Title;
            if (_shown.GetValueOrDefault(node) != title)
            {
                _shown[node] = node.Activity = title;
                display.Node(node.Where, title ?? string.Empty);
            }
        }
    }

    /// <summary>Once all is built, the workers send what is collected.</summary>
    private void Collect()
    {
        if (outputs is null || !_schedule.Succeeded)
        {
            return;
        }

        _collecting ??= OutputRound.Begin(outputs, _schedule.Projects);
        foreach (FleetNode node in _ready.Values.OfType<FleetNode>())
        {
            _collecting.Give(node);
        }
    }

    private void Ended(FleetNode node, WorkerExit end)
    {
        display.Node(node.Id, activity: null);
        _ready.Remove(node.Id);
        _collecting?.Ended(node);
        feed.Ended(node.Where);
        ScheduledRequest? on = Forget(node);
        IReadOnlyList<ScheduleMove> moves = _schedule.Ended(node.Id);
        if (_stopped is not null)
        {
            Do(moves);

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
        string? next = IsDone || fleet.Nodes.Count(n => !n.Worker.WaitForExitAsync().IsCompleted) >= nodes ? null : fleet.Add().Id;
        string place = next is null ? string.Empty : $"{next} takes the place of {node.Id}";
        string who = ExitBlock.Who(end);
        ScheduleMove.Lost? lost = Lost(moves, on);
        switch (lost)
        {
            case null:
                feed.Exit(end, $"{who} while it built nothing{(next is null ? string.Empty : $"; {next} takes its place")}");
                break;
            case { WillRetry: true }:
                feed.Exit(end, $"{who} while it built {lost.Request.Configuration.Title}; it is built once "
                    + $"more{(next is null ? string.Empty : $", {place}")}");
                break;
            default:
                feed.Exit(end, NoThirdAttempt(who, lost.Request.Configuration), isError: true);
                break;
        }

        SayOthers(node, who, moves, lost);
        Do(moves);
    }

    /// <summary>What a worker of the farm had is built once more, as after the end of a worker here.</summary>
    private void Lost(FleetNews.Lost news)
    {
        display.Node(news.Node.Where, activity: null);
        _ready.Remove(news.Node.Id);
        feed.Ended(news.Node.Where);
        ScheduledRequest? on = Forget(news.Node);
        IReadOnlyList<ScheduleMove> moves = _schedule.Ended(news.Node.Id);
        if (_stopped is null)
        {
            ScheduleMove.Lost? lost = Lost(moves, on);
            string first = lost is null ? $"{news.Who} while it built nothing"
                : lost.WillRetry ? $"{news.Who} while it built {lost.Request.Configuration.Title}; it is built once more"
                : NoThirdAttempt(news.Who, lost.Request.Configuration);
            feed.Exit(news.Node.Where, first, news.Details, isError: lost is { WillRetry: false });
            SayOthers(news.Node, news.Who, moves, lost);
        }

        Do(moves);
    }

    /// <summary>Of what a worker was on when it died, what is told of it.</summary>
    private static ScheduleMove.Lost? Lost(IReadOnlyList<ScheduleMove> moves, ScheduledRequest? on) =>
        moves.OfType<ScheduleMove.Lost>().OrderByDescending(one => one.Request == on).FirstOrDefault();

    /// <summary>Each project that is given up has its error.</summary>
    private void SayOthers(BuildNode node, string who, IReadOnlyList<ScheduleMove> moves, ScheduleMove.Lost? said)
    {
        foreach (ScheduleMove.Lost other in moves.OfType<ScheduleMove.Lost>().Where(one => one != said && !one.WillRetry))
        {
            feed.Diagnostic(node.Where, NoThirdAttempt(who, other.Request.Configuration), isError: true);
        }
    }

    /// <summary>Ends the time of what a worker had.</summary>
    /// <returns>What it was on, as far as is known.</returns>
    private ScheduledRequest? Forget(BuildNode node)
    {
        foreach (ScheduledRequest request in _schedule.Of(node.Id))
        {
            _clock.Stop(request, node.Where, "lost");
        }

        return _schedule.Of(node.Id).LastOrDefault(one => one.IsRunning && one.Configuration.IsProject);
    }

    private static string Circular(ScheduleMove.Circle circle) =>
        $"{circle.By.Work.Path} : error MSB4006: There is a circular dependency in the target dependency graph: "
        + $"{circle.By.Configuration.Title} wants {circle.Request.Configuration.Title}, which waits for it.";

    private static string NoThirdAttempt(string who, Configuration project) =>
        $"{project.Path} : error HARNESS001: {who} while it built {project.Title} "
        + (project.Losses == 2 ? "for the second time: no third attempt" : $"for the {project.Losses}th time: no further attempt");

    private void Say(ScheduleMove.Settled settled)
    {
        Configuration project = settled.Project;
        if (verbosity < BuildVerbosity.Minimal)
        {
            return;
        }

        if (settled.Because is { } because)
        {
            display.Line($"{project.Title} skipped, because {because.Title} failed", LineKind.Warning);
            return;
        }

        (string word, LineKind kind) = project.State switch
        {
            ProjectState.Succeeded => ("succeeded", LineKind.Good),
            ProjectState.Stopped => ("stopped", LineKind.Error),
            _ => ("failed", LineKind.Error),
        };
        display.Line(string.Create(
            CultureInfo.InvariantCulture, $"{project.Title} {word} in {_clock.Of(project) / 1000.0:0.0} s on {_where[project]}"), kind);
    }
}
