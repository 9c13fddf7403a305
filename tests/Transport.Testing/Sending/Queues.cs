using System;
using System.IO;

namespace Transport.Testing.Sending;

/// <summary>Queues as a link has them, without the link.</summary>
internal static class Queues
{
    public static SendQueue Make(
        SegmentPool pool, long limit = 1 << 20, LinkCounters? counters = null, SendSignal? signal = null,
        LanePolicy normal = LanePolicy.Refuse, LanePolicy bulk = LanePolicy.Refuse, Func<Lane, IPacketTables>? tables = null,
        Func<Lane, ILaneObserver>? observer = null)
    {
        LinkCounters counts = counters ?? new LinkCounters();
        var setup = new SendSetup(new ByteBudget(limit)) { Normal = normal, Bulk = bulk, Tables = tables, Observer = observer };
        return new SendQueue(pool, setup, counts, signal ?? new SendSignal(counts));
    }
}

/// <summary>Hears of writes in place of a link.</summary>
internal sealed class WriteEvents : ISendEvents
{
    public Func<Segment, int> Writing { get; init; } = static _ => 0;

    public Action Written { get; init; } = static () => { };

    public Action<IOException> Failed { get; init; } = static _ => { };

    int ISendEvents.OnWriting(Segment segment) => Writing(segment);

    void ISendEvents.OnWritten(Lane lane, int packets) => Written();

    void ISendEvents.OnWriteFailed(IOException broken) => Failed(broken);
}
