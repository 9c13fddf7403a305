using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using BuildHarness.Packets;
using BuildHarness.Planning;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Exceptions;
using Microsoft.Build.Execution;
using Microsoft.Build.Framework;
using Transport.MSBuild;

namespace BuildHarness.Worker;

/// <summary>MSBuild in this process: one session for all projects, so that what was evaluated for one serves the next. One thread, but
/// for <see cref="Cancel"/>.</summary>
/// <remarks>
/// <para>MSBuild sets the process's current folder and environment while it builds, and allows one session a process at a time: use a
/// worker process for each.</para>
/// <para>Names MSBuild's types: the program must have found the SDK's assemblies (Microsoft.Build.Locator) before a method that calls this
/// is compiled.</para>
/// </remarks>
internal sealed class BuildSession : IDisposable
{
    private readonly ProjectCollection _projects = WithoutReferences.NewCollection();
    private readonly BuildManager _manager = new("Transport");
    private readonly Action<BuildEvent> _send;
    private readonly WantedEvents _wanted;
    private readonly Lock _gate = new();
    private bool _isBusy, _isCancelled;
    private bool _hasBegun;
    private bool _isMuted;

    /// <summary>Initializes a new instance of the <see cref="BuildSession"/> class.</summary>
    /// <param name="send">Takes every event, on the thread that raises it; all of a project's before <see cref="Build"/> returns. While it
    /// waits the build does.</param>
    /// <param name="wanted">Which events are sent at all.</param>
    /// <exception cref="ArgumentNullException"><paramref name="send"/> or <paramref name="wanted"/> is null.</exception>
    public BuildSession(Action<BuildEvent> send, WantedEvents wanted)
    {
        _wanted = wanted ?? throw new ArgumentNullException(nameof(wanted));
        _send = send ?? throw new ArgumentNullException(nameof(send));
    }

    /// <summary>Builds a project, without those it refers to. Returns when it is built; what it does may take any time.</summary>
    /// <param name="project">What to build.</param>
    /// <returns>What came of it. A project that cannot be built is a result, not an exception.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="project"/> is null.</exception>
    /// <exception cref="ArgumentException">Two of its properties have the same name.</exception>
    public ProjectResult Build(BuildProject project)
    {
        ArgumentNullException.ThrowIfNull(project);
        Begin();
        var clock = Stopwatch.StartNew();
        var properties = project.Properties.ToDictionary(p => p.Key, p => (string?)p.Value, StringComparer.OrdinalIgnoreCase);
        string[] targets = [.. project.Targets ?? []];
        var request = project.Outputs == OutputsWanted.Written
            ? new BuildRequestData(project.Path, properties, toolsVersion: null, targetsToBuild: targets, hostServices: null,
                BuildRequestDataFlags.ProvideSubsetOfStateAfterBuild, WrittenFiles.Noted)
            : new BuildRequestData(project.Path, properties, targetsToBuild: targets, toolsVersion: null, hostServices: null);
        if (!TryWork())
        {
            return new ProjectResult(
                new ProjectBuilt(project.Id, Succeeded: false, clock.ElapsedMilliseconds, Error: null, _wanted.LeftOut), []);
        }

        BuildResult result;
        try
        {
            result = _manager.BuildRequest(request);
        }
        finally
        {
            EndWork();
        }

        bool succeeded = result.OverallResult == BuildResultCode.Success;
        var report = new ProjectBuilt(project.Id, succeeded, clock.ElapsedMilliseconds,
            result.Exception is null or BuildAbortedException or InvalidProjectFileException { HasBeenLogged: true } ? null
                : result.Exception.Message, _wanted.LeftOut);
        return new ProjectResult(report, succeeded && project.Outputs == OutputsWanted.Written && result.ProjectStateAfterBuild is { } after
            ? WrittenFiles.Of(project.Path, after) : []);
    }

    /// <summary>Loads, before there is anything to do, what the first project would otherwise wait for: some seconds of MSBuild's code, the
    /// SDK resolver and the SDK's imports. It builds a project in a temporary folder, whose events nobody gets.</summary>
    public void WarmUp()
    {
        Begin();
        if (!TryWork())
        {
            return;
        }

        _isMuted = true;
        try
        {
            WarmUpProject.Build(_manager, _projects);
        }
        finally
        {
            // A session whose warm-up was cancelled will build nothing, and its end as a failed one would mislead.
            _isMuted = EndWork();
        }
    }

    /// <summary>Ends what is being built, and lets nothing begin any more. If nothing is, MSBuild hears nothing of it: it would report a
    /// cancelled build. Safe from any thread.</summary>
    public void Cancel()
    {
        lock (_gate)
        {
            _isCancelled = true;
            if (_isBusy)
            {
                _manager.CancelAllSubmissions();
            }
        }
    }

    /// <summary>Ends the session. Nothing may be being built.</summary>
    public void Dispose()
    {
        if (_hasBegun)
        {
            _manager.EndBuild();
        }

        _manager.Dispose();
        _projects.Dispose();
    }

    private bool TryWork()
    {
        lock (_gate)
        {
            _isBusy = !_isCancelled;
            return _isBusy;
        }
    }

    /// <returns>Whether it was cancelled.</returns>
    private bool EndWork()
    {
        lock (_gate)
        {
            _isBusy = false;
            return _isCancelled;
        }
    }

    private bool Takes(BuildEventArgs args) => !_isMuted && _wanted.Takes(args);

    private void Begin()
    {
        if (_hasBegun)
        {
            return;
        }

        _hasBegun = true;
        _manager.BeginBuild(new BuildParameters(_projects)
        {
            Loggers = [new StreamingLogger(Takes, _send)],
            MaxNodeCount = 1,

            // Events are handed over on the thread that raises them: all of a project's are sent before its result, what the link has taken
            // outlives the process, and a full queue slows the build down.
            UseSynchronousLogging = true,
        });
    }
}
