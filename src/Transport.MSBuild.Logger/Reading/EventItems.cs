using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>
/// Properties and items of MSBuild as an event's values. An event holds them as sequences of many shapes: dictionary entries in a replayed
/// build or from another node, MSBuild's own instances in a live one. An item is an array of type (null if the list says it), spec and
/// metadata. Safe from any thread.
/// </summary>
internal sealed class EventItems
{
    private const int MostTries = 100;

    private readonly InstanceMembers _members = new();

    public object? Properties(IEnumerable? properties)
    {
        switch (properties)
        {
            case null:
                return null;
            case IEnumerable<KeyValuePair<string, string>> pairs:
                return BuildEventMap.Of(pairs);
        }

        return Retried(properties!, PropertiesOneByOne);
    }

    private BuildEventMap PropertiesOneByOne(IEnumerable properties)
    {
        var entries = new List<KeyValuePair<string, string?>>();
        foreach (object? property in properties)
        {
            entries.Add(property is DictionaryEntry entry ? new(TextOf(entry.Key) ?? string.Empty, TextOf(entry.Value))
                : property is not null && _members.Text(property, "Name") is { } name
                    ? new(name, _members.Text(property, "EvaluatedValue"))
                : new(TextOf(property) ?? string.Empty, null));
        }

        return new BuildEventMap([.. entries]);
    }

    public object? Items(IEnumerable? items) => items is null ? null : _members.ItemsByType(items) is { } lists
        ? ByType(lists) : Retried(items, OneByOne);

    /// <summary>The items of a project that was evaluated in this process, type by type.</summary>
    private static object?[] ByType(IEnumerable<(string Type, object[] Items)> lists)
    {
        var values = new List<object?>();
        foreach ((string type, object[] items) in lists)
        {
            foreach (object one in items)
            {
                values.Add(one is ITaskItem typed ? Of(type, typed) : Plain(type, TextOf(one)));
            }
        }

        return [.. values];
    }

    /// <summary>A sequence that belongs to a project may change while it is read: then it is read again.</summary>
    private static T Retried<T>(IEnumerable sequence, Func<IEnumerable, T> read)
    {
        for (int tries = 1; ; tries++)
        {
            try
            {
                return read(sequence);
            }
            catch (InvalidOperationException) when (tries < MostTries)
            {
                // The next try is as likely to be undisturbed as this one was not.
            }
        }
    }

    private object?[] OneByOne(IEnumerable items)
    {
        var values = new List<object?>();
        foreach (object? item in items)
        {
            values.Add(item switch
            {
                DictionaryEntry { Value: ITaskItem task } entry => Of(TextOf(entry.Key), task),
                DictionaryEntry entry => Plain(TextOf(entry.Key), TextOf(entry.Value)),
                ITaskItem task => Of(InstanceMembers.IsItemInstance(task) ? _members.Text(task, "ItemType") : null, task),
                not null when _members.Text(item, "EvaluatedInclude") is { } spec => Evaluated(item, spec),
                _ => Plain(type: null, TextOf(item)),
            });
        }

        return [.. values];
    }

    public static object?[] Of(string? type, ITaskItem item) => [type, item.ItemSpec, Metadata(item)];

    /// <summary>An item of an evaluated project, which is no ITaskItem.</summary>
    private object?[] Evaluated(object item, string spec)
    {
        var metadata = new List<KeyValuePair<string, string?>>();
        foreach (object? one in _members.Sequence(item, "Metadata") ?? Array.Empty<object>())
        {
            metadata.Add(new(_members.Text(one!, "Name") ?? string.Empty, _members.Text(one!, "EvaluatedValue")));
        }

        return [_members.Text(item, "ItemType"), spec, new BuildEventMap([.. metadata])];
    }

    private static object?[] Plain(string? type, string? spec) => [type, spec, null];

    private static BuildEventMap? Metadata(ITaskItem item)
    {
        if (InstanceMembers.Metadata(item) is { } own)
        {
            return BuildEventMap.Of(own);
        }

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
