using System;
using System.Collections.Generic;

namespace Transport.Tool;

/// <summary>Tells the builds of one journal apart: which build an event belongs to. One thread.</summary>
/// <remarks>
/// A build of <c>collect</c> is what its name says: build, build2, …. The MSBuild processes of one command (restore, then build) have the
/// names build, build.s2, …, and nodes with links of their own a further part (build.s2.n3); all of them are one build. The workers of a
/// harness (n1, n2, …) are one build together. Where a process begins a second time, the journal was used again, and a new build begins.
/// </remarks>
internal sealed class BuildUnits
{
    private readonly Dictionary<string, Unit> _current = new(StringComparer.Ordinal);

    /// <summary>Gets how many builds have come.</summary>
    public int Count { get; private set; }

    /// <summary>Returns the number of the build, from 1, that an event belongs to.</summary>
    /// <param name="journalNode">The node of the journal.</param>
    /// <param name="begins">Whether the event is the beginning of an MSBuild process's build.</param>
    public int Take(string journalNode, bool begins)
    {
        string name = IsCollected(journalNode) ? BuildNames.BuildOf(journalNode) : string.Empty;
        if (!_current.TryGetValue(name, out Unit? unit) || (begins && unit.Begun.Contains(journalNode)))
        {
            _current[name] = unit = new Unit(++Count);
        }

        if (begins)
        {
            unit.Begun.Add(journalNode);
        }

        return unit.Number;
    }

    /// <summary>Returns the MSBuild process that a node of the journal is a part of: the ids of its events are unique within it. A worker of
    /// a harness is one of its own.</summary>
    public static string ProcessOf(string journalNode)
    {
        int dot = journalNode.LastIndexOf('.');
        return IsCollected(journalNode) && dot >= 0 && journalNode.AsSpan(dot).StartsWith(".n", StringComparison.Ordinal)
            ? journalNode[..dot] : journalNode;
    }

    /// <summary>Whether a build of <c>collect</c> has this name.</summary>
    public static bool IsCollected(string journalNode) => journalNode.StartsWith("build", StringComparison.Ordinal);

    private sealed record Unit(int Number)
    {
        public HashSet<string> Begun { get; } = new(StringComparer.Ordinal);
    }
}
