using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using BuildHarness.Packets;
using BuildHarness.Scheduling;
using Microsoft.Build.Execution;

namespace BuildHarness.Worker;

/// <summary>
/// Which requests of a session have succeeded. MSBuild's word is about more than a request: once one of a configuration has failed or
/// thrown, so has each later one; and where warnings are errors any error that was logged fails it. What counts is that no target that was
/// asked for has failed, nor one that runs behind it (AfterTargets), now or in a request before. Safe from any thread.
/// </summary>
internal sealed class Outcomes
{
    private readonly Lock _gate = new();   // over the next two
    private readonly HashSet<Exception> _thrown = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<(string Configuration, string Target)> _failedBehind = [];

    /// <summary>Looks at what came of a request.</summary>
    /// <param name="work">What was asked for.</param>
    /// <param name="result">What MSBuild says.</param>
    /// <param name="failedTargets">How many targets have failed for it, whether that counted or not.</param>
    /// <param name="hasStarted">Its project has begun.</param>
    /// <param name="thrown">What it has thrown itself, or null.</param>
    /// <returns>Whether it has succeeded.</returns>
    public bool Succeeded(ProjectWork work, BuildResult result, int failedTargets, bool hasStarted, out Exception? thrown)
    {
        lock (_gate)
        {
            thrown = result.Exception is { } one && _thrown.Add(one) ? one : null;
            if (result.OverallResult == BuildResultCode.Success)
            {
                return true;
            }

            if (thrown is not null || result.CircularDependency || !hasStarted
                || result.ResultsByTarget.Values.Any(target => target.ResultCode == TargetResultCode.Failure)
                || (!work.SkipsMissingTargets && (result.ResultsByTarget.Count == 0 || !work.Targets.All(result.HasResultsForTarget))))
            {
                return false;
            }

            string key = Configuration.KeyOf(work);
            (string, string)[] asked = [.. result.ResultsByTarget.Keys.Select(target => (key, target.ToUpperInvariant()))];
            if (failedTargets > 0)
            {
                _failedBehind.UnionWith(asked);
            }

            return !asked.Any(_failedBehind.Contains);
        }
    }
}
