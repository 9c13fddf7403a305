using System;
using System.Collections.Generic;
using BuildHarness.Display;
using Transport.Journal;
using Transport.MSBuild;

namespace BuildHarness.Commands;

/// <summary>What the commands take that look at a journal.</summary>
internal abstract record JournalToolOptions : CommonOptions
{
    public required string Directory { get; init; }
}

/// <summary><c>journal verify DIR</c>.</summary>
internal sealed record VerifyOptions : JournalToolOptions;

/// <summary><c>journal stat DIR</c>.</summary>
internal sealed record StatOptions : JournalToolOptions;

/// <summary><c>journal compact DIR</c>.</summary>
internal sealed record CompactOptions : JournalToolOptions
{
    public required JournalRetention Retention { get; init; }
}

/// <summary>What shows packets takes.</summary>
internal abstract record ShowOptions : JournalToolOptions
{
    /// <summary>Gets the first position to show; 0: from the oldest.</summary>
    public long From { get; init; }

    /// <summary>Gets the nodes to show; empty: all.</summary>
    public IReadOnlyList<string> Nodes { get; init; } = [];

    /// <summary>Gets the packet types to show; empty: all.</summary>
    public IReadOnlyList<ushort> Types { get; init; } = [];

    public JournalReaderOptions Reading(bool follow) => new()
    {
        From = From,
        Nodes = Nodes.Count == 0 ? null : [.. Nodes],
        Types = Types.Count == 0 ? null : [.. Types],
        Follow = follow,
    };
}

/// <summary><c>journal dump DIR</c>.</summary>
internal sealed record DumpOptions : ShowOptions;

/// <summary><c>follow DIR</c>.</summary>
internal sealed record FollowOptions : ShowOptions
{
    /// <summary>Gets which build events are shown; what <c>run</c> shows is shown always.</summary>
    public BuildVerbosity Verbosity { get; init; } = BuildVerbosity.Normal;
}
