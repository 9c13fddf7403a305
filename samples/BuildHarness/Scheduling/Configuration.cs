using System;
using System.Collections.Generic;
using System.Linq;
using BuildHarness.Packets;

namespace BuildHarness.Scheduling;

/// <summary>A project file with its global properties: what MSBuild evaluates once, and runs each target of once. All its requests go to
/// one worker. Of the <see cref="Schedule"/>'s thread.</summary>
internal sealed class Configuration
{
    /// <summary>Targets by which the SDK's projects ask each other for items; asked for nothing else, a configuration is no project that a
    /// user would count.</summary>
    private static readonly string[] Questions = ["Get", "_"];

    private readonly Dictionary<string, WorkResult> _known = new(StringComparer.Ordinal);

    public Configuration(ProjectWork work) => (Path, Properties) = (work.Path, work.Properties);

    /// <summary>Gets the full path of the project file.</summary>
    public string Path { get; }

    public IReadOnlyList<KeyValuePair<string, string>> Properties { get; }

    /// <summary>Gets the requests that are not answered yet, by what they ask for.</summary>
    public Dictionary<string, ScheduledRequest> Open { get; } = new(StringComparer.Ordinal);

    /// <summary>Gets or sets the worker that has it, or null.</summary>
    public string? Node { get; set; }

    /// <summary>Gets or sets what it was evaluated to, or null before.</summary>
    public ProjectEvaluated? Project { get; set; }

    /// <summary>Gets or sets how often a worker has died while it was being built.</summary>
    public int Losses { get; set; }

    /// <summary>Gets or sets a value indicating whether it was asked for more than its items, and is no part of a solution.</summary>
    public bool IsProject { get; set; }

    /// <summary>Gets or sets what became of it, if it is a project.</summary>
    public ProjectState State { get; set; }

    /// <summary>Gets or sets how often it was given to a worker as a project.</summary>
    public int Attempts { get; set; }

    /// <summary>Gets the target framework among its global properties, or, once it was evaluated, its own; or empty.</summary>
    public string Framework => Project?.Framework ?? Properties.FirstOrDefault(
        p => p.Key.Equals("TargetFramework", StringComparison.OrdinalIgnoreCase)).Value ?? NamedFramework;

    /// <summary>Gets or sets the framework that its project file was evaluated to, for people; empty: none, or not known.</summary>
    public string NamedFramework { get; set; } = string.Empty;

    /// <summary>Gets the name shown to people: the name and, if it is known, the framework.</summary>
    public string Title => Framework.Length == 0 ? System.IO.Path.GetFileNameWithoutExtension(Path)
        : $"{System.IO.Path.GetFileNameWithoutExtension(Path)} ({Framework})";

    /// <summary>What distinguishes the requests of one configuration.</summary>
    public static string AskedBy(ProjectWork work) =>
        string.Join('\0', work.Targets.Select(target => target.ToUpperInvariant())) + (work.SkipsMissingTargets ? "\0?" : string.Empty);

    /// <summary>Whether work is a project's own, in place of a question for its items.</summary>
    public static bool Builds(ProjectWork work) => work.Targets.Count == 0
        || work.Targets.Any(target => !Questions.Any(start => target.StartsWith(start, StringComparison.OrdinalIgnoreCase)));

    /// <summary>Returns what is known of a request, or null.</summary>
    public WorkResult? Known(string asked) => _known.GetValueOrDefault(asked);

    /// <summary>Notes what came of a request.</summary>
    public void Know(string asked, WorkResult result) => _known[asked] = result;

    /// <summary>Returns <see cref="Title"/>.</summary>
    public override string ToString() => Title;
}
