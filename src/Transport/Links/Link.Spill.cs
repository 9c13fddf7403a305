using System;
using System.Threading.Tasks;

namespace Transport;

/// <content>Lanes that spill (<see cref="LanePolicy.Spill"/>).</content>
public sealed partial class Link
{
    /// <summary>Queues a spilled packet, which has its number. Never waits.</summary>
    internal SendResult SendSpilled(ReadOnlySpan<byte> packet, Lane lane) => _queue.TrySendRaw(SpillPacket.Type, packet, lane, out _);

    /// <summary>Queues a spilled packet, waiting for room.</summary>
    internal ValueTask<SendResult> SendSpilledAsync(ReadOnlyMemory<byte> packet, Lane lane) => SendRawAsync(SpillPacket.Type, packet, lane, default);

    /// <summary>Takes what a lane sent and the peer did not acknowledge, in order; after <see cref="Ended"/>.</summary>
    internal void TakeUnacknowledged(Lane lane, HeldSegments.Visitor visit) => _queue.TakeHeld(lane, visit);

    private ISpill? SpillOf(Lane lane) => _queue.PolicyOf(lane) == LanePolicy.Spill ? _options.Spill : null;

    /// <summary>Tells who spills how far the peer is.</summary>
    private void TellSpill(long acknowledged)
    {
        if (_options.Spill is { } spill)
        {
            TellSpill(spill, Lane.Normal, acknowledged);
            TellSpill(spill, Lane.Bulk, acknowledged);
        }
    }

    private void TellSpill(ISpill spill, Lane lane, long acknowledged)
    {
        if (_queue.Acknowledged(acknowledged, lane) is { } number)
        {
            spill.Acknowledged(lane, number);
        }
    }
}
