using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using BuildHarness.Packets;
using BuildHarness.Worker.Tasks;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Exceptions;
using Microsoft.Build.Execution;
using Microsoft.Build.Framework;
using Transport.MSBuild;

namespace BuildHarness.Worker;

/// <summary>MSBuild in this process: one session for all requests, so that what was evaluated and built for one serves the next. What a
/// project wants of another is asked for at the main node; while it waits for that, another request of this session goes on. Requests come
/// from one thread; all else is safe from any.</summary>
/// <remarks>
/// <para>MSBuild sets the process's current folder and environment while it builds, and allows one session a process at a time: use a
/// worker process for each.</para>
/// <para>Names MSBuild's types: the program must have found the SDK's assemblies (Microsoft.Build.Locator) before a method that calls this
/// is compiled.</para>
/// </remarks>
internal sealed class BuildSession : IDisposable
{
    /// <summary>Without it MSBuild's scheduler counts a request that waits for an answer as one that is being built, of which a session of
    /// one node can have only one. It is read while a session begins.</summary>
    private const string Unlimited = "MSBUILDSCHEDULINGUNLIMITED";

    /// <summary>After how long without a target and an event a request stands still.</summary>
    private static readonly TimeSpan StillTime = TimeSpan.FromSeconds(2), LookEvery = TimeSpan.FromMilliseconds(500);

    private readonly ProjectCollection _projects = NewCollection();
    private readonly BuildManager _manager = new("Transport");
    private readonly ISessionEvents _events;
    private readonly WantedEvents _wanted;
    private readonly Evaluations _evaluations = new();
    private readonly Outcomes _outcomes = new();
    private readonly Submissions _submissions;
    private readonly TimeProvider _clock;
    private readonly ConcurrentDictionary<int, int> _watched = new();   // by request, the newest round
    private readonly ITimer _looking;
    private readonly Lock _gate = new();   // over the next four
    private BuildManager? _warming;
    private int _open;
    private bool _isCancelled, _hasBegun;
    private volatile bool _errorsFail;   // set once, before the first request

    /// <summary>Initializes a new instance of the <see cref="BuildSession"/> class.</summary>
    /// <param name="events">Takes what happens.</param>
    /// <param name="wanted">Which events are sent at all.</param>
    /// <param name="clock">Tells how long a request stands still.</param>
    public BuildSession(ISessionEvents events, WantedEvents wanted, TimeProvider clock)
    {
        (_events, _wanted, _clock) = (events, wanted, clock);
        _submissions = new Submissions(_evaluations, clock);
        Questions = new Questions(_submissions.RequestOf, events.Ask);
        _looking = clock.CreateTimer(_ => Look(), state: null, LookEvery, LookEvery);
    }

    /// <summary>Gets what is asked, and takes the answers.</summary>
    public Questions Questions { get; }

    /// <summary>Loads, before there is anything to do, what the first project would otherwise wait for: some seconds of MSBuild's code, the
    /// SDK resolver and the SDK's imports. It builds a project in a temporary folder, in a session of its own whose events nobody
    /// gets.</summary>
    public void WarmUp()
    {
        // A manager of its own: what it has made for one session it keeps for the next, such as the scheduler (see Unlimited).
        using var manager = new BuildManager("Transport.WarmUp");
        manager.BeginBuild(new BuildParameters(_projects) { MaxNodeCount = 1 });
        try
        {
            lock (_gate)
            {
                if (_isCancelled)
                {
                    return;
                }

                _warming = manager;
            }

            WarmUpProject.Build(manager, _projects);
        }
        finally
        {
            lock (_gate)
            {
                _warming = null;
            }

            manager.EndBuild();
        }
    }

    /// <summary>Begins, before the first request. Once.</summary>
    public void Begin(StartSession start)
    {
        _errorsFail = start.AsErrors is not null;
        var parameters = new BuildParameters(_projects)
        {
            Loggers = [new StreamingLogger(Takes, _events.Send)],
            MaxNodeCount = 1,

            // Events are handed over on the thread that raises them: all of a project's are sent before its result, what the link has taken
            // outlives the process, and a full queue slows the build down.
            UseSynchronousLogging = true,
            WarningsAsErrors = Codes(start.AsErrors),
            WarningsNotAsErrors = Codes(start.NotAsErrors),
            WarningsAsMessages = Codes(start.AsMessages),
        };

        // Behind the parameters, which note down the environment of tasks.
        string? before = Environment.GetEnvironmentVariable(Unlimited);
        Environment.SetEnvironmentVariable(Unlimited, "1");
        try
        {
            _manager.BeginBuild(parameters);
        }
        finally
        {
            Environment.SetEnvironmentVariable(Unlimited, before);
        }

        lock (_gate)
        {
            _hasBegun = true;
        }
    }

    /// <summary>Begins a request. What comes of it is reported behind its last event; a project that cannot be built is a result
    /// too.</summary>
    /// <exception cref="ArgumentException">Two of its properties have the same name.</exception>
    public void Build(BuildProject project)
    {
        ProjectWork work = project.Work;
        var data = new BuildRequestData(
            work.Path, SolutionOverride.PropertiesOf(work), work.ToolsVersion, [.. work.Targets], hostServices: null,
            work.SkipsMissingTargets ? BuildRequestDataFlags.SkipNonexistentTargets : BuildRequestDataFlags.None);
        if (!TryEnter())
        {
            Report(project, result: null, submission: null);
            return;
        }

        BuildSubmission pending = _manager.PendBuildRequest(data);
        Submission submission = _submissions.Add(pending.SubmissionId, project.Id);
        pending.ExecuteAsync(
            ended =>
            {
                _submissions.Remove(ended.SubmissionId);
                try
                {
                    Report(project, ended.BuildResult, submission);
                }
                finally
                {
                    Leave();
                }
            },
            context: null);
    }

    /// <summary>Reports once a request stands still, unless it ends before. Of several rounds the last counts.</summary>
    public void Watch(WatchProject watch) => _watched[watch.Id] = watch.Round;

    /// <summary>Ends what is being built, and lets nothing begin any more. If nothing is, MSBuild hears nothing of it: it would report a
    /// cancelled build.</summary>
    public void Cancel()
    {
        lock (_gate)
        {
            if (!_isCancelled)
            {
                _isCancelled = true;
                _warming?.CancelAllSubmissions();
                if (_open > 0)
                {
                    _manager.CancelAllSubmissions();
                }
            }
        }

        Questions.End();
    }

    /// <summary>Ends the session, behind what is being built. Nobody waits for an answer any more.</summary>
    public void Dispose()
    {
        _looking.Dispose();
        Questions.End();
        bool hasBegun;
        lock (_gate)
        {
            hasBegun = _hasBegun;
        }

        if (hasBegun)
        {
            _manager.EndBuild();
        }

        _manager.Dispose();
        _projects.Dispose();
    }

    private static ProjectCollection NewCollection()
    {
        var projects = new ProjectCollection(ToolsetDefinitionLocations.Default);
        Toolset sdk = projects.GetToolset(projects.DefaultToolsVersion);
        var asking = new Toolset(
            sdk.ToolsVersion, sdk.ToolsPath, sdk.Properties.ToDictionary(p => p.Key, p => p.Value.EvaluatedValue), projects,
            SolutionOverride.Folder);
        projects.RemoveToolset(sdk.ToolsVersion);
        projects.AddToolset(asking);
        projects.DefaultToolsVersion = asking.ToolsVersion;
        return projects;
    }

    private static HashSet<string>? Codes(IReadOnlyList<string>? codes) =>
        codes is null ? null : new HashSet<string>(codes, StringComparer.OrdinalIgnoreCase);

    private void Report(BuildProject project, BuildResult? result, Submission? submission)
    {
        Exception? thrown = null;
        WorkResult what = result is null || submission is null ? WorkResult.Failed : ItemPackets.Write(result, _outcomes.Succeeded(
            project, result, submission.HasStarted, _errorsFail || submission.Project is { FailsForErrors: true }, out thrown));
        string? error = thrown is null or BuildAbortedException or InvalidProjectFileException { HasBeenLogged: true } ? null
            : thrown.Message;
        _events.Built(new ProjectBuilt(
            project.Id, what, error, submission is null ? 0 : Volatile.Read(ref submission.Errors), submission?.Project, _wanted.LeftOut));
    }

    private void Look()
    {
        foreach (KeyValuePair<int, int> watched in _watched)
        {
            long events = _submissions.Events;
            bool? isStill = _submissions.StandsStill(watched.Key, StillTime);
            if (isStill is not false && _watched.TryRemove(watched) && isStill is true)
            {
                _events.StandsStill(new ProjectStandsStill(watched.Key, watched.Value, events));
            }
        }
    }

    private bool Takes(BuildEventArgs args)
    {
        if (args is WhoAsks who)
        {
            who.Questions = Questions;
            return false;
        }

        if (args is ProjectEvaluationFinishedEventArgs evaluated)
        {
            _events.Evaluated(_evaluations.Add(evaluated));
        }

        _submissions.See(args);
        return _wanted.Takes(args);
    }

    private bool TryEnter()
    {
        lock (_gate)
        {
            if (_isCancelled)
            {
                return false;
            }

            _open++;
            return true;
        }
    }

    private void Leave()
    {
        lock (_gate)
        {
            _open--;
        }
    }
}
