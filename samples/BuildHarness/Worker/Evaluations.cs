using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using BuildHarness.Packets;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Execution;
using Microsoft.Build.Framework;

namespace BuildHarness.Worker;

/// <summary>What the projects of a session were evaluated to, as far as the main node must know. Safe from any thread.</summary>
internal sealed class Evaluations
{
    /// <summary>The properties by which a project makes errors of all or some warnings of MSBuild's.</summary>
    private const string AllAsErrors = "MSBuildTreatWarningsAsErrors", SomeAsErrors = "MSBuildWarningsAsErrors";

    private static readonly StringComparer Names = StringComparer.OrdinalIgnoreCase;
    private readonly ConcurrentDictionary<int, ProjectEvaluated> _known = new();

    /// <summary>Notes an evaluation.</summary>
    public ProjectEvaluated Add(ProjectEvaluationFinishedEventArgs evaluated)
    {
        Dictionary<string, string> global = Read(evaluated.GlobalProperties, ["TargetFramework"]);
        Dictionary<string, string> all = Read(
            evaluated.Properties,
            ["TargetFramework", "TargetFrameworks", "OutDir", "IntermediateOutputPath", "CleanFile", AllAsErrors, SomeAsErrors]);
        string path = evaluated.ProjectFile ?? string.Empty;
        bool isMany = Of(all, "TargetFrameworks").Length > 0, isInner = isMany && Of(global, "TargetFramework").Length > 0;

        // An outer build's folder is around those of its inner builds; it writes nothing there itself.
        string folder = Path.GetDirectoryName(path) ?? string.Empty, output = isMany && !isInner ? string.Empty : Of(all, "OutDir");
        string list = Of(all, "CleanFile");
        var project = new ProjectEvaluated(
            path, Of(all, "TargetFramework"), isInner, output.Length == 0 ? string.Empty : Full(folder, output),
            output.Length == 0 || list.Length == 0 ? string.Empty : Full(folder, Of(all, "IntermediateOutputPath") + list),
            Names.Equals(Of(all, AllAsErrors).Trim(), "true") || Of(all, SomeAsErrors).Trim().Length > 0);
        if (evaluated.BuildEventContext is { } context)
        {
            _known[context.EvaluationId] = project;
        }

        return project;
    }

    /// <summary>Returns what an event's project was evaluated to, or null.</summary>
    public ProjectEvaluated? Of(BuildEventArgs args) =>
        args.BuildEventContext is { } context ? _known.GetValueOrDefault(context.EvaluationId) : null;

    private static string Of(Dictionary<string, string> values, string name) => values.GetValueOrDefault(name, string.Empty);

    /// <summary>A path of MSBuild's, which may have either separator.</summary>
    private static string Full(string folder, string path) => Path.TrimEndingDirectorySeparator(
        Path.GetFullPath(Path.Combine(folder, OperatingSystem.IsWindows() ? path : path.Replace('\\', '/'))));

    private static Dictionary<string, string> Read(IEnumerable? properties, string[] wanted)
    {
        var read = new Dictionary<string, string>(Names);
        foreach (object? one in properties ?? Array.Empty<object>())
        {
            (string? name, string? value) = one switch
            {
                ProjectPropertyInstance instance => (instance.Name, instance.EvaluatedValue),
                ProjectProperty property => (property.Name, property.EvaluatedValue),
                DictionaryEntry entry => (entry.Key as string, entry.Value as string),
                KeyValuePair<string, string> pair => (pair.Key, pair.Value),
                _ => (null, null),
            };
            if (name is not null && Array.Exists(wanted, one => Names.Equals(one, name)))
            {
                read[name] = value ?? string.Empty;
            }
        }

        return read;
    }
}
