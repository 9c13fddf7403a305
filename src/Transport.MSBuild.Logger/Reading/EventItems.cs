using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Execution;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>
/// Properties and items of MSBuild as an event's values. An event holds them as sequences of many shapes: dictionary entries in a replayed
/// build, MSBuild's own instances in a live one. An item is an array of type (null if the list says it), spec and metadata.
/// </summary>
internal static class EventItems
{
    public static object? Properties(IEnumerable? properties)
    {
        switch (properties)
        {
            case null:
                return null;
            case IEnumerable<KeyValuePair<string, string>> pairs:
                return BuildEventMap.Of(pairs);
        }

        var entries = new List<KeyValuePair<string, string?>>();
        foreach (object? property in properties)
        {
            entries.Add(property switch
            {
                DictionaryEntry entry => new(TextOf(entry.Key) ?? string.Empty, TextOf(entry.Value)),
                ProjectPropertyInstance instance => new(instance.Name, instance.EvaluatedValue),
                ProjectProperty evaluated => new(evaluated.Name, evaluated.EvaluatedValue),
                _ => new(TextOf(property) ?? string.Empty, null),
            });
        }

        return new BuildEventMap([.. entries]);
    }

    public static object? Items(IEnumerable? items)
    {
        if (items is null)
        {
            return null;
        }

        var values = new List<object?>();
        foreach (object? item in items)
        {
            values.Add(item switch
            {
                DictionaryEntry { Value: ITaskItem task } entry => Of(TextOf(entry.Key), task),
                DictionaryEntry entry => Plain(TextOf(entry.Key), TextOf(entry.Value)),
                ProjectItemInstance instance => Of(instance.ItemType, instance),
                ProjectItem evaluated => Of(evaluated),
                ITaskItem task => Of(type: null, task),
                _ => Plain(type: null, TextOf(item)),
            });
        }

        return values.ToArray();
    }

    public static object?[] Of(string? type, ITaskItem item) => [type, item.ItemSpec, Metadata(item)];

    private static object?[] Of(ProjectItem item)
    {
        var metadata = new List<KeyValuePair<string, string?>>();
        foreach (ProjectMetadata one in item.Metadata)
        {
            metadata.Add(new(one.Name, one.EvaluatedValue));
        }

        return [item.ItemType, item.EvaluatedInclude, new BuildEventMap([.. metadata])];
    }

    private static object?[] Plain(string? type, string? spec) => [type, spec, null];

    private static BuildEventMap? Metadata(ITaskItem item)
    {
        IDictionary custom = item.CloneCustomMetadata();
        if (custom is IEnumerable<KeyValuePair<string, string>> pairs)
        {
            return BuildEventMap.Of(pairs);
        }

        var entries = new List<KeyValuePair<string, string?>>(custom.Count);
        foreach (DictionaryEntry entry in custom)
        {
            entries.Add(new(TextOf(entry.Key) ?? string.Empty, TextOf(entry.Value)));
        }

        return new BuildEventMap([.. entries]);
    }

    private static string? TextOf(object? value) => value as string ?? Convert.ToString(value, CultureInfo.InvariantCulture);
}
