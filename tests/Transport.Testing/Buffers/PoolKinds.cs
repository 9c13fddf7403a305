using System;
using System.Collections.Generic;
using Microsoft.IO;

namespace Transport.Testing.Buffers;

/// <summary>The pools that links may have, by name.</summary>
public static class PoolKinds
{
    /// <summary>The library's own.</summary>
    public const string Own = "own";

    /// <summary>A RecyclableMemoryStreamManager's.</summary>
    public const string Recyclable = "recyclable";

    /// <summary>Gets every kind.</summary>
    public static IReadOnlyList<string> All { get; } = [Own, Recyclable];

    /// <summary>Gets the kind of the tests that name none: the library's own, or what TRANSPORT_TEST_POOL names.</summary>
    public static string Usual { get; } = Environment.GetEnvironmentVariable("TRANSPORT_TEST_POOL") is { Length: > 0 } named ? named : Own;

    /// <summary>Makes a pool.</summary>
    internal static SegmentPool Open(string kind) => kind switch
    {
        Own => new ShelfPool(256 << 20),
        Recyclable => new SourcePool(new RecyclableBufferSource(NewManager())),
        _ => throw new ArgumentException($"No pool is called \"{kind}\": {string.Join(", ", All)}.", nameof(kind)),
    };

    /// <summary>Makes a manager whose blocks suit links.</summary>
    public static RecyclableMemoryStreamManager NewManager() => new(new RecyclableMemoryStreamManager.Options
    {
        BlockSize = RecyclableBufferSource.BlockSize,
        MaximumSmallPoolFreeBytes = 64 << 20,
        MaximumLargePoolFreeBytes = 64 << 20,
    });
}
