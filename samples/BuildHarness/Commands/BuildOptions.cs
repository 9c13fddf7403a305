using System;
using System.Collections.Generic;
using System.Linq;
using BuildHarness.Display;
using BuildHarness.Farm;
using BuildHarness.Journaling;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Commands;

/// <summary>What a command was given.</summary>
internal abstract record CommonOptions;

/// <summary>What all commands with workers take.</summary>
internal abstract record WorkerOptions : CommonOptions
{
    /// <summary>Gets where the summary goes, or null.</summary>
    public string? Summary { get; init; }

    /// <summary>Gets the kind of wire; null: the library's default for this system.</summary>
    public WireKind? Wire { get; init; }

    /// <summary>Gets after how long a link that stands still is reported; null: the library's default, 10 s.</summary>
    public TimeSpan? StallTimeout { get; init; }

    /// <summary>Gets where every packet taken is kept, or null.</summary>
    public JournalSettings? Journal { get; init; }
}

/// <summary><c>build [PATH]</c>.</summary>
internal sealed record BuildOptions : WorkerOptions
{
    /// <summary>Gets a solution, project or folder; by default the current folder.</summary>
    public required string Path { get; init; }

    public required int Nodes { get; init; }

    /// <summary>Gets the farm that builds, or null; <see cref="Nodes"/> are then the workers that help here.</summary>
    public FarmSettings? Farm { get; init; }

    /// <summary>Gets the user's <c>-c</c>, or null: each project's default.</summary>
    public string? Configuration { get; init; }

    /// <summary>Gets the user's <c>-p:NAME=VALUE</c>.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Properties { get; init; } = [];

    /// <summary>Gets the user's <c>-t:NAME</c>; empty: each project's default.</summary>
    public IReadOnlyList<string> Targets { get; init; } = [];

    /// <summary>Gets of which warnings MSBuild makes errors or messages.</summary>
    public WarningSeverities Severities { get; init; } = new();

    public bool Restore { get; init; } = true;

    public BuildVerbosity Verbosity { get; init; } = BuildVerbosity.Minimal;

    /// <summary>Gets where every event goes as text, or null.</summary>
    public string? Log { get; init; }

    /// <summary>Gets where the trace goes, or null.</summary>
    public string? Trace { get; init; }

    /// <summary>Gets where the outputs of all projects go, or null.</summary>
    public string? CollectOutputs { get; init; }

    /// <summary>All global properties of the build.</summary>
    public Dictionary<string, string> GlobalProperties()
    {
        var all = new Dictionary<string, string>(System.StringComparer.OrdinalIgnoreCase);
        if (Configuration is not null)
        {
            all["Configuration"] = Configuration;
        }

        foreach ((string name, string value) in Properties)
        {
            all[name] = value;
        }

        return all;
    }
}

/// <summary><c>agent</c>.</summary>
internal sealed record AgentCommandOptions : CommonOptions
{
    public required FarmSettings Farm { get; init; }

    public required int Workers { get; init; }

    public required string Name { get; init; }
}

/// <summary><c>replay FILE</c>: a binary log, or the directory of a journal.</summary>
internal sealed record ReplayOptions : WorkerOptions
{
    public required string File { get; init; }

    public required int Nodes { get; init; }

    /// <summary>Gets a value indicating whether the number of workers was named: then each sends all of a journal, in place of what one
    /// recorded node sent.</summary>
    public bool HasNodes { get; init; }

    /// <summary>Gets a value indicating whether texts, properties and metadata that come again are referred to.</summary>
    public bool UseTables { get; init; } = true;
}

/// <summary><c>run -- CMD ARGS</c>.</summary>
internal sealed record RunOptions : WorkerOptions
{
    public required string Program { get; init; }

    public IReadOnlyList<string> Arguments { get; init; } = [];

    public string? Log { get; init; }
}
