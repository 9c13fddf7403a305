using System.Collections.Generic;
using Transport.Journal;

namespace Transport.Tool;

/// <summary>Which packets of a journal are shown.</summary>
internal sealed record ReadingOptions
{
    public required string Directory { get; init; }

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
