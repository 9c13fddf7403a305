using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Transport.Chaos.Standstills;

/// <summary>What the worker says of its side, as one line of JSON.</summary>
internal sealed record StandstillAnswer
{
    /// <summary>The line with which it says that the time is over: what the main node holds is looked at now, and then it may read
    /// on.</summary>
    public const string Over = "OVER";

    /// <summary>The line with which it says that the first, short standstill is over.</summary>
    public const string FirstOver = "FIRST OVER";

    private const string Prefix = "ANSWER ";

    /// <summary>Gets the packets that were to be sent.</summary>
    public long Offered { get; init; }

    public long Queued { get; init; }

    /// <summary>Gets the calls answered Full, by log level.</summary>
    public long[] Full { get; init; } = [];

    [JsonIgnore]
    public long FullInAll => Full.Sum();

    /// <summary>Gets the bytes in the queue at the end of the standstill.</summary>
    public long QueuedBytes { get; init; }

    /// <summary>Gets the memory at the end of the standstill, more than before there was a link.</summary>
    public ProcessMemory More { get; init; }

    /// <summary>Gets the calls of the first standstill: segments are made and their pages touched for the first time.</summary>
    public required CallTimes FirstCalls { get; init; }

    /// <summary>Gets all calls of the standstill; of those that wait, the ones that found capacity.</summary>
    public required CallTimes Calls { get; init; }

    /// <summary>Gets those answered Queued.</summary>
    public required CallTimes QueuedCalls { get; init; }

    /// <summary>Gets those answered Full.</summary>
    public required CallTimes FullCalls { get; init; }

    /// <summary>Gets the readings of a thread that did nothing else meanwhile: from one to the next.</summary>
    public required CallTimes Clock { get; init; }

    /// <summary>Gets the shortest that a call waited which was answered Full, in ms.</summary>
    public double ShortestWaitMs { get; init; }

    /// <summary>Gets the longest.</summary>
    public double LongestWaitMs { get; init; }

    /// <summary>Gets a value indicating whether the link ended cleanly; what follows is its receipt.</summary>
    public bool Clean { get; init; }

    public long Sent { get; init; }

    public long Acknowledged { get; init; }

    public long Dropped { get; init; }

    public long[] DroppedByLevel { get; init; } = [];

    public static long[] ByLevel(IReadOnlyDictionary<PacketLevel, long> dropped) =>
        [.. Enumerable.Range(0, 7).Select(level => dropped.GetValueOrDefault((PacketLevel)level))];

    public static StandstillAnswer? Parse(string line) =>
        line.StartsWith(Prefix, StringComparison.Ordinal) ? JsonSerializer.Deserialize<StandstillAnswer>(line[Prefix.Length..]) : null;

    public override string ToString() => Prefix + JsonSerializer.Serialize(this);
}
