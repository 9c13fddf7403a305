using System;
using System.Threading;

namespace Transport;

/// <content>Lanes that spill: what was written is held until it is acknowledged, and outlives the link.</content>
internal sealed partial class SendQueue
{
    private Action<Segment>? _releaseHeld;

    private long HeldBytes => (_lanes[(int)Lane.Normal].Held?.Bytes ?? 0) + (_lanes[(int)Lane.Bulk].Held?.Bytes ?? 0);

    /// <summary>Gets a lane's policy.</summary>
    public LanePolicy PolicyOf(Lane lane) => _lanes[(int)lane].Policy;

    /// <summary>Gets what a lane holds, or null where it does not spill.</summary>
    public HeldSegments? HeldOf(Lane lane) => _lanes[(int)lane].Held;

    /// <summary>Lets go of what the peer has acknowledged.</summary>
    /// <param name="packets">So many packets of lanes 1 to 3.</param>
    /// <param name="lane">The lane.</param>
    /// <returns>The number up to which the lane's packets are acknowledged; null where that is no news.</returns>
    public SpillNumber? Acknowledged(long packets, Lane lane) =>
        _lanes[(int)lane].Held is { } held && held.Acknowledge(packets, _releaseHeld ??= Release) ? held.Acknowledged : null;

    /// <summary>Gives what a lane holds to somebody else, in order. The send loop must have ended.</summary>
    public void TakeHeld(Lane lane, HeldSegments.Visitor visit) => _lanes[(int)lane].Held?.TakeAll(visit, _pool.Return);

    /// <summary>Holds a segment that was written. Its Ack may have come before this thread got here.</summary>
    private void Hold(HeldSegments held, Segment segment)
    {
        Lane lane = (Lane)segment.Lane;
        if (held.Add(segment, Volatile.Read(ref _packetsWritten), _releaseHeld ??= Release))
        {
            AcknowledgedLate?.Invoke(lane, held.Acknowledged);
        }
    }

    /// <summary>Gets or sets who hears of an Ack that came before its write was noted.</summary>
    public Action<Lane, SpillNumber>? AcknowledgedLate { get; set; }
}
