using System;
using BuildHarness.Packets;

namespace BuildHarness.Collecting;

/// <summary>How much of outputs may be under way: what the main node grants, and what a packet takes of it (PACKETS.md).</summary>
internal static class CollectWindow
{
    /// <summary>The most bytes of a file in one packet: one frame, and no large object if it is copied.</summary>
    public const int ChunkBytes = 60 << 10;

    /// <summary>What each packet counts besides its text and bytes, so that many empty files cannot fill the memory either.</summary>
    private const int PacketCost = 256;

    private const int All = 16 << 20, Least = 256 << 10, Most = 1 << 20;

    /// <summary>What a worker is granted: a share of 16 MiB, at least 256 KiB, at most 1 MiB, which a link of this machine empties in a
    /// millisecond.</summary>
    public static int Of(int workers) => Math.Clamp(All / Math.Max(1, workers), Least, Most);

    public static int CostOf(string path) => PacketCost + (2 * path.Length);

    public static int CostOf(int bytes) => PacketCost + bytes;

    public static int CostOf(OutputFileEnd _) => PacketCost;

    public static int CostOf(OutputsEnd _) => PacketCost;
}
