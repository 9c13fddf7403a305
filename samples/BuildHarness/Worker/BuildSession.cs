using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using BuildHarness.Collecting;
using BuildHarness.Events;
using BuildHarness.Packets;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Exceptions;
using Microsoft.Build.Execution;

namespace BuildHarness.Worker;

/// <summary>
/// MSBuild in this process: one session for all projects, so that what was evaluated for one serves the next. MSBuild sets the process's
/// current folder and environment while it builds, so nothing else here may depend on them. One thread, but for <see cref="Cancel"/>.
/// </summary>
internal sealed class BuildSession : IDisposable
{
    private readonly ProjectCollection _projects = new(ToolsetDefinitionLocations.Default);
    private readonly BuildManager _manager = new("buildharness");
    private readonly Action<BuildEvent> _take;
    private readonly object _gate = new();
    private bool _busy, _cancelled;
    private bool _begun;
    private bool _muted;

    /// <summary>Initializes a new instance of the <see cref="BuildSession"/> class.</summary>
    /// <param name="take">Takes every event; all of a project's before <see cref="Build"/> returns.</param>
    public BuildSession(Action<BuildEvent> take) => _take = take;

    public ProjectBuilt Build(BuildProject project) => Build(project, out _);

    /// <summary>Builds a project.</summary>
    /// <param name="project">What to build.</param>
    /// <param name="outputs">The files it asks for; null if it asks for none or could not be built.</param>
    public ProjectBuilt Build(BuildProject project, out IEnumerable<OutputItem>? outputs)
    {
        outputs = null;
        Begin();
        var clock = Stopwatch.StartNew();
        var properties = project.Properties.ToDictionary(p => p.Key, p => (string?)p.Value, StringComparer.OrdinalIgnoreCase);

        // References are the scheduler's business. Not told so, the project would look for them and build what it finds changed.
        properties["BuildProjectReferences"] = "false";
        var request = project.Outputs == OutputsWanted.Written
            ? new BuildRequestData(project.Path, properties, toolsVersion: null, targetsToBuild: [], hostServices: null,
                BuildRequestDataFlags.ProvideSubsetOfStateAfterBuild, ProjectOutputs.Noted)
            : new BuildRequestData(project.Path, properties, targetsToBuild: [], toolsVersion: null, hostServices: null);
        if (!TryWork())
        {
            return new ProjectBuilt(project.Id, Succeeded: false, clock.ElapsedMilliseconds, Error: null);
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

        if (result.OverallResult == BuildResultCode.Success && project.Outputs != OutputsWanted.None)
        {
            outputs = ProjectOutputs.Of(project, result.ProjectStateAfterBuild);
        }

        return new ProjectBuilt(project.Id, result.OverallResult == BuildResultCode.Success, clock.ElapsedMilliseconds,
            result.Exception is null or BuildAbortedException ? null : result.Exception.Message);
    }

    /// <summary>Loads, before there is anything to do, what the first project would otherwise wait for.</summary>
    public void WarmUp()
    {
        Begin();
        if (!TryWork())
        {
            return;
        }

        _muted = true;
        try
        {
            Worker.WarmUp.Run(_manager, _projects);
        }
        finally
        {
            EndWork();

            // A session whose warm-up was cancelled will build nothing, and its end as a failed one would mislead.
            _muted = Volatile.Read(ref _cancelled);
        }
    }

    /// <summary>Ends what is being built, and lets nothing begin any more. If nothing is, MSBuild hears nothing of it: it would report a
    /// cancelled build. Any thread.</summary>
    public void Cancel()
    {
        lock (_gate)
        {
            _cancelled = true;
            if (_busy)
            {
                _manager.CancelAllSubmissions();
            }
        }
    }

    public void Dispose()
    {
        if (_begun)
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
            _busy = !_cancelled;
            return _busy;
        }
    }

    private void EndWork()
    {
        lock (_gate)
        {
            _busy = false;
        }
    }

    private void Take(BuildEvent one)
    {
        if (!_muted)
        {
            _take(one);
        }
    }

    private void Begin()
    {
        if (_begun)
        {
            return;
        }

        _begun = true;
        _manager.BeginBuild(new BuildParameters(_projects)
        {
            Loggers = [new StreamingLogger(Take)],
            MaxNodeCount = 1,

            // Events are handed over on the thread that raises them: all of a project's are sent before its result, and a full queue slows
            // the build down.
            UseSynchronousLogging = true,
        });
    }
}
