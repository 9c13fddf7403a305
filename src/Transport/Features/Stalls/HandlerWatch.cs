using System;

namespace Transport;

/// <summary>Bounds a wait for capacity that began in a handler of the same link. While that handler runs its link reads nothing: if the
/// peer does likewise, both wait forever.</summary>
/// <remarks>
/// A waiter asks at each wake. The link's heartbeat wakes those that wait in a handler, so that the time is kept by the link's own
/// clock. A sender that blocks its thread asks without being woken, too: the heartbeat has no thread to run on if such waits have taken
/// them all.
/// </remarks>
internal sealed class HandlerWatch(HandlerScope handler, TimeProvider clock, TimeSpan limit, SendQueue queue, Lane lane)
{
    private readonly long _since = clock.GetTimestamp();

    /// <summary>Refuses the packet and throws if the handler in which the wait began has run for all of the time. Once it has returned,
    /// nothing depends on the wait but its sender.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.HandlerBlocked"/>.</exception>
    public void ThrowIfStuck()
    {
        if (!handler.IsOver && clock.GetElapsedTime(_since) >= limit)
        {
            _ = queue.RefusedFor(lane, PacketLevel.None, LanePolicy.Refuse);
            throw new TransportException(
                TransportFault.HandlerBlocked,
                FormattableString.Invariant(
                    $"A send that began in a handler of this link has waited for capacity for {limit.TotalSeconds:0.###} s ")
                    + "(HeartbeatOptions.SilenceTimeout), and that handler still runs: meanwhile nothing is read, "
                    + "and a peer that does the same waits for this side. "
                    + $"Send from a task of its own, use TrySend, or raise LinkOptions.MaxQueuedBytes ({queue.MaxQueuedBytes}).");
        }
    }
}
