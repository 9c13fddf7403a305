using System;
using System.Globalization;
using System.Linq;
using System.Threading;
using Transport.Loads.Events;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Counts what events cost at the wire and in memory, which timing does not change. Order: how many; a thousand are sent with the
/// wire open, each when the one before is written, then as many as the order says behind one write that is held.</summary>
/// <remarks>Answers the writes of the thousand, the writes and bytes of the others, and the bytes that the calling thread allocated in the
/// sends of the thousand.</remarks>
internal sealed class CountsJob : IJob
{
    /// <summary>How many events are sent alone.</summary>
    public const int Alone = 1000;

    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly EventCatalog _catalog = new();
    private readonly Link _link;
    private HeldWire? _wire;
    private long _next = EventCatalog.FirstId;

    public CountsJob(string address) => _link = WorkerLink.Connect(
        address, new LinkOptions { MaxQueuedBytes = 64 << 20 }, wire: w => _wire = new HeldWire(w));

    /// <summary>Gets how many events are sent for an order, the one that is held included.</summary>
    public static int Sent(int queued) => Alone + 1 + queued;

    public string Run(string[] order)
    {
        LoadEvent[] events = [.. Enumerable.Range(0, Sent(int.Parse(order[0], CultureInfo.InvariantCulture)))
            .Select(i => _catalog.Make(_next + i))];
        _next += events.Length;
        HeldWire wire = _wire!;
        long writes = wire.Writes, allocated = 0;
        for (int i = 0; i < Alone; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Send(events[i]);
            allocated += GC.GetAllocatedBytesForCurrentThread() - before;
            WaitForSent(i + 1);
        }

        long alone = wire.Writes - writes;
        wire.Hold();
        (writes, long bytes, long begun) = (wire.Writes, wire.Bytes, wire.Begun);
        Send(events[Alone]);
        WaitUntil(() => wire.Begun > begun);
        foreach (LoadEvent e in events.AsSpan(Alone + 1))
        {
            Send(e);
        }

        wire.Release();
        WaitForSent(events.Length);
        return string.Create(CultureInfo.InvariantCulture, $"{alone} {wire.Writes - writes - 1} {wire.Bytes - bytes} {allocated}");

        // A packet counts as sent when its write is over: the wire has counted it by then.
        void WaitForSent(int count) => WaitUntil(() => _link.Counters.PacketsSent >= _next - EventCatalog.FirstId - events.Length + count);
    }

    public void Dispose() => _link.CloseAsync(timeout: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();

    private static void WaitUntil(Func<bool> condition)
    {
        if (!SpinWait.SpinUntil(condition, s_limit))
        {
            throw new LoadException($"A packet was not written for {s_limit.TotalSeconds:f0} s.");
        }
    }

    private void Send(LoadEvent e)
    {
        if (_link.TrySend(LoadEventFormatter.Type, e) != SendResult.Queued)
        {
            throw new LoadException("The link took no event although its queue has capacity.");
        }
    }
}
