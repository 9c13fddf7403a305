using System;

namespace Transport.Benchmarks;

/// <summary>Queues without a link and without a send pump.</summary>
internal static class Queues
{
    /// <summary>Makes one for 64 MiB.</summary>
    /// <param name="observer">Gives who hears of a lane's packets; null: nobody does.</param>
    public static SendQueue Make(Func<Lane, ILaneObserver>? observer = null)
    {
        var counters = new LinkCounters();
        var setup = new SendSetup(new ByteBudget(64 << 20)) { Observer = observer };
        return new SendQueue(new ShelfPool(16 << 20), setup, counters, new SendSignal(counters));
    }
}
