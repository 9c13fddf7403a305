using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Build.Framework;
using Microsoft.Build.Framework.Profiler;

namespace Transport.MSBuild;

/// <summary>Values of an event as MSBuild's types have them: the way back from <see cref="EventItems"/> and
/// <see cref="EventValues"/>.</summary>
internal static class RecordedValues
{
    /// <summary>Properties as a sequence of entries.</summary>
    public static IEnumerable? Properties(BuildEventMap? map) =>
        map?.Entries.ToArray().Select(entry => (object)new DictionaryEntry(entry.Key, entry.Value)).ToArray();

    public static Dictionary<string, string>? Map(BuildEventMap? map)
    {
        if (map is null)
        {
            return null;
        }

        var values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach ((string name, string? value) in map.Entries)
        {
            values[name] = value ?? string.Empty;
        }

        return values;
    }

    /// <summary>Items of one type, each as an item.</summary>
    public static object[]? Items(object? field) =>
        field is object?[] list ? [.. list.OfType<object?[]>().Select(item => (object)Item(item))] : null;

    /// <summary>Items of several types, each as an entry of its type and itself.</summary>
    public static object[]? TypedItems(object? field) => field is object?[] list
        ? [.. list.OfType<object?[]>().Select(item => (object)new DictionaryEntry(TypeOf(item), Item(item)))] : null;

    public static string[] Texts(object? field) => field is object?[] list ? [.. list.Select(one => one as string ?? string.Empty)] : [];

    public static BuildEventContext? Context(object? field) =>
        field is object?[] { Length: >= BuildEventIds.Count } ids && ids.All(id => id is long)
            ? new BuildEventContext(Id(ids, 0), Id(ids, 1), Id(ids, 2), Id(ids, 3), Id(ids, 4), Id(ids, 5), Id(ids, 6)) : null;

    public static ProfilerResult? Profile(object? field)
    {
        if (field is not object?[] list)
        {
            return null;
        }

        var locations = new Dictionary<EvaluationLocation, ProfiledLocation>();
        foreach (object?[] one in list.OfType<object?[]>().Where(one => one.Length >= 12))
        {
            var location = new EvaluationLocation(Number(one[0]), one[1] as long?, (EvaluationPass)Number(one[2]), one[3] as string,
                one[4] as string, one[5] is long line ? (int)line : null, one[6] as string, one[7] as string,
                (EvaluationLocationKind)Number(one[8]));
            locations[location] = new ProfiledLocation(new TimeSpan(Number(one[9])), new TimeSpan(Number(one[10])), (int)Number(one[11]));
        }

        return new ProfilerResult(locations);
    }

    /// <summary>A logger, whose properties were kept by name.</summary>
    public static RegisteredLoggerInfo Logger(object? field)
    {
        var values = (field as object?[] ?? []).OfType<object?[]>().Where(pair => pair.Length == 2)
            .ToDictionary(pair => pair[0] as string ?? string.Empty, pair => pair[1], StringComparer.Ordinal);
        return new RegisteredLoggerInfo(values.GetValueOrDefault("LoggerName") as string ?? string.Empty,
            Texts(values.GetValueOrDefault("OutputFilePaths")),
            values.GetValueOrDefault("Verbosity") is long verbosity ? (LoggerVerbosity)verbosity : null,
            values.GetValueOrDefault("Parameters") as string);
    }

    /// <summary>A binary log ends a list of items at an empty type.</summary>
    private static string TypeOf(object?[] item) => item.Length > 0 && item[0] is string { Length: > 0 } type ? type : "Item";

    private static RecordedItem Item(object?[] item) => new(item.Length > 1 ? item[1] as string ?? string.Empty : string.Empty,
        Map(item.Length > 2 ? item[2] as BuildEventMap : null) ?? new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase));

    private static int Id(object?[] ids, int index) => (int)(long)ids[index]!;

    private static long Number(object? value) => value is long number ? number : 0;
}
