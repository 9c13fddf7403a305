using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using BuildHarness.Packets;
using Microsoft.Build.Execution;
using Microsoft.Build.Framework;
using Microsoft.Build.Utilities;

namespace BuildHarness.Worker.Tasks;

/// <summary>MSBuild's results as packets, and back.</summary>
internal static class ItemPackets
{
    /// <summary>Writes what came of a request that has thrown nothing itself.</summary>
    /// <param name="result">What MSBuild says.</param>
    /// <param name="work">What was asked for.</param>
    /// <param name="seen">What its events say.</param>
    public static WorkResult Write(BuildResult result, ProjectWork work, Submission seen) => new(
        Succeeded(result, work, seen), [.. result.ResultsByTarget.Select(target => new TargetOutput(
            target.Key, target.Value.ResultCode == TargetResultCode.Success, [.. target.Value.Items.Select(Write)]))]);

    /// <summary>Reads an item.</summary>
    public static ITaskItem Read(TargetItem packet)
    {
        var item = new TaskItem();
        ITaskItem2 escaped = item;
        escaped.EvaluatedIncludeEscaped = packet.Include;
        foreach ((string name, string value) in packet.Metadata)
        {
            escaped.SetMetadata(name, value);
        }

        return item;
    }

    /// <summary>MSBuild also fails a request for what another one of the same configuration has thrown, and, where warnings are errors, for
    /// any error that was logged. Neither is this project's failure, if its own targets have run and none has failed. Without such a cause
    /// it has failed for a target behind one of them, which has failed now or in a request before.</summary>
    private static bool Succeeded(BuildResult result, ProjectWork work, Submission seen) => !result.CircularDependency
        && (result.OverallResult == BuildResultCode.Success || (
            (result.Exception is not null || Volatile.Read(ref seen.Errors) > 0)
            && seen.HasStarted && Volatile.Read(ref seen.FailedTargets) == 0
            && result.ResultsByTarget.Values.All(one => one.ResultCode != TargetResultCode.Failure)
            && (work.SkipsMissingTargets || (result.ResultsByTarget.Count > 0 && work.Targets.All(result.HasResultsForTarget)))));

    private static TargetItem Write(ITaskItem item)
    {
        var escaped = (ITaskItem2)item;
        var metadata = new List<KeyValuePair<string, string>>();
        foreach (DictionaryEntry one in escaped.CloneCustomMetadataEscaped())
        {
            metadata.Add(new((string)one.Key, (string?)one.Value ?? string.Empty));
        }

        return new TargetItem(escaped.EvaluatedIncludeEscaped, metadata);
    }
}
