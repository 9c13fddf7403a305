using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using BuildHarness.Packets;
using Microsoft.Build.Execution;

namespace BuildHarness.Worker;

/// <summary>
/// Which requests of a session have succeeded. MSBuild's word is about more than a request: once one of a configuration has failed or
/// thrown, so has each later one; and where warnings are errors any error that was logged fails it. What counts is what became of the
/// targets that were asked for, and of those that run behind them (AfterTargets). Of the whole build MSBuild's word counts, as it does
/// there: a target fails it that has failed behind one that nobody asked for. Safe from any thread.
/// </summary>
internal sealed class Outcomes
{
    private readonly Lock _gate = new();   // over the next
    private readonly HashSet<Exception> _thrown = new(ReferenceEqualityComparer.Instance);

    /// <summary>Looks at what came of a request.</summary>
    /// <param name="project">What was asked for.</param>
    /// <param name="result">What MSBuild says.</param>
    /// <param name="hasStarted">Its project has begun.</param>
    /// <param name="failsForErrors">Any error that was logged fails the build: that is the main node's to say.</param>
    /// <param name="thrown">What it has thrown itself, or null.</param>
    /// <returns>Whether it has succeeded.</returns>
    public bool Succeeded(BuildProject project, BuildResult result, bool hasStarted, bool failsForErrors, out Exception? thrown)
    {
        lock (_gate)
        {
            thrown = result.Exception is { } one && _thrown.Add(one) ? one : null;
        }

        if (result.OverallResult == BuildResultCode.Success)
        {
            return true;
        }

        ProjectWork work = project.Work;
        if ((project.IsEntry && !failsForErrors) || thrown is not null || result.CircularDependency || !hasStarted
            || (!work.SkipsMissingTargets && (result.ResultsByTarget.Count == 0 || !work.Targets.All(result.HasResultsForTarget))))
        {
            return false;
        }

        // Of a result that holds targets and nothing else MSBuild says what became of the targets.
        var targets = new BuildResult();
        foreach (KeyValuePair<string, TargetResult> target in result.ResultsByTarget)
        {
            targets.AddResultsForTarget(target.Key, target.Value);
        }

        return targets.OverallResult == BuildResultCode.Success;
    }
}
