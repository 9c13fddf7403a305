using System.Collections.Generic;
using System.Threading.Tasks;
using BuildHarness.Summary;
using Transport;

namespace BuildHarness.Building;

/// <summary>What the summary says of a worker.</summary>
internal static class NodeReport
{
    /// <summary>Waits for the worker's end, which the caller has seen to.</summary>
    public static async Task<NodeSummary> OfAsync(FleetNode node, string? hash = null)
    {
        WorkerExit end = await node.Worker.WaitForExitAsync().ConfigureAwait(false);
        return Of(node.Id, node.Link, end, node.Events, node.Stalls.Stalls, hash) with { LeftOut = node.LeftOut };
    }

    public static NodeSummary Of(string id, Link? link, WorkerExit end, long events, IReadOnlyList<StallReport> stalls, string? hash = null)
    {
        LinkReceipt? receipt = end.Link?.Receipt;
        return new NodeSummary
        {
            Id = id,
            Name = link?.Peer.Node ?? string.Empty,
            Pid = end.ProcessId,
            Sent = receipt?.PeerSent,
            Received = link?.Counters.PacketsReceived ?? 0,

            // Each packet that was handled here, and is safe if a journal is kept, is acknowledged; the worker's Goodbye is answered
            // with the last count.
            Acknowledged = receipt?.Flushed ?? 0,
            Dropped = receipt?.PeerDropped ?? 0,
            DroppedByLevel = receipt?.PeerDroppedByLevel ?? new Dictionary<PacketLevel, long>(),
            Bytes = link?.Counters.BytesReceived ?? 0,
            Events = events,
            End = end.Cause,
            LastWords = end.LastErrorLines,
            ExitReport = end,
            Stalls = stalls,
            Hash = hash,
        };
    }
}
