using System.Collections;
using System.Collections.Generic;
using System.Linq;
using BuildHarness.Packets;
using Microsoft.Build.Execution;
using Microsoft.Build.Framework;
using Microsoft.Build.Utilities;

namespace BuildHarness.Worker.Tasks;

/// <summary>MSBuild's results as packets, and back.</summary>
internal static class ItemPackets
{
    /// <summary>Writes what came of a request.</summary>
    /// <param name="result">What MSBuild says.</param>
    /// <param name="succeeded">Whether it has succeeded (<see cref="Outcomes"/>).</param>
    public static WorkResult Write(BuildResult result, bool succeeded) => new(
        succeeded, [.. result.ResultsByTarget.Select(target => new TargetOutput(
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
