using System.Collections.Generic;
using Transport;

namespace BuildHarness.Summary;

/// <summary>What <c>--summary</c> holds. Immutable.</summary>
internal sealed record RunSummary
{
    public required bool Succeeded { get; init; }

    public required long WallMs { get; init; }

    public IReadOnlyList<ProjectSummary> Projects { get; init; } = [];

    public IReadOnlyList<NodeSummary> Nodes { get; init; } = [];

    /// <summary>Gets what became of the farm's agents that had a part in it.</summary>
    public IReadOnlyList<AgentSummary> Agents { get; init; } = [];

    /// <summary>Gets how many packets have come from agents.</summary>
    public long FarmPackets { get; init; }

    /// <summary>Gets how many connections never got Welcome.</summary>
    public long Refused { get; init; }

    public long Errors { get; init; }

    public long Warnings { get; init; }

    /// <summary>Gets the hash of a recorded build as the main node read it; null in other commands.</summary>
    public string? ExpectedHash { get; init; }

    /// <summary>Gets what became of the journal; null if none was kept.</summary>
    public JournalSummary? Journal { get; init; }

    /// <summary>Gets what became of the collection; null if none was asked for.</summary>
    public CollectionSummary? Collected { get; init; }
}

/// <summary>What became of a project.</summary>
/// <param name="Path">The project file.</param>
/// <param name="Framework">Its target framework, or empty.</param>
/// <param name="Result">succeeded, failed, skipped, or stopped: begun, and cut off by the end of the build (failed in the file).</param>
/// <param name="Node">The node that built it last, or null.</param>
/// <param name="Attempts">How often it was begun.</param>
/// <param name="Ms">How long the last attempt took, in ms.</param>
internal sealed record ProjectSummary(string Path, string Framework, string Result, string? Node, int Attempts, long Ms);

/// <summary>What became of a worker and its packets.</summary>
internal sealed record NodeSummary
{
    /// <summary>Gets the main node's id of it: n1, n2, …</summary>
    public required string Id { get; init; }

    /// <summary>Gets, in a replay of a journal, the recorded node whose packets it sent; null: all.</summary>
    public string? Recorded { get; init; }

    /// <summary>Gets the hash of what it should have sent in a replay, or null.</summary>
    public string? ExpectedHash { get; init; }

    /// <summary>Gets how many events it should have sent in a replay.</summary>
    public long ExpectedEvents { get; init; }

    /// <summary>Gets a value indicating whether a replay sent what was recorded.</summary>
    public bool IsAsExpected => ExpectedHash is not null && Hash == ExpectedHash && Events == ExpectedEvents;

    /// <summary>Gets the name it gave itself, or empty.</summary>
    public string Name { get; init; } = string.Empty;

    public int Pid { get; init; }

    /// <summary>Gets what its Goodbye said it had sent; null if none arrived.</summary>
    public long? Sent { get; init; }

    /// <summary>Gets the packets of lanes 1-3 that arrived.</summary>
    public long Received { get; init; }

    /// <summary>Gets how many of them were handled, and safe if a journal is kept: the worker was notified so.</summary>
    public long Acknowledged { get; init; }

    /// <summary>Gets the packets that it dropped because its queue was full, as it reported.</summary>
    public long Dropped { get; init; }

    /// <summary>Gets them by log level, 6 for none.</summary>
    public IReadOnlyDictionary<PacketLevel, long> DroppedByLevel { get; init; } = new Dictionary<PacketLevel, long>();

    public long Bytes { get; init; }

    public long Events { get; init; }

    /// <summary>Gets how many events of a build it had not sent by its last result, because nobody took them: no log, no journal, and not
    /// shown.</summary>
    public long LeftOut { get; init; }

    /// <summary>Gets the first cause of its end.</summary>
    public required string End { get; init; }

    /// <summary>Gets the last 20 lines of its stderr.</summary>
    public IReadOnlyList<string> LastWords { get; init; } = [];

    /// <summary>Gets the whole report of its end.</summary>
    public required WorkerExit ExitReport { get; init; }

    /// <summary>Gets what stood still on its link.</summary>
    public IReadOnlyList<StallReport> Stalls { get; init; } = [];

    /// <summary>Gets the hash of all events it sent; null outside of replay.</summary>
    public string? Hash { get; init; }
}
