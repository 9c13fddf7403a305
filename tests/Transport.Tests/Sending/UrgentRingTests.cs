using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Wires;

namespace Transport.Tests.Sending;

internal sealed class UrgentRingTests
{
    private const int Rounds = 40;

    [Test]
    public async Task An_urgent_packet_queued_just_before_the_loop_lets_a_batch_gather_does_not_wait_for_it()
    {
        // The batch gathers without limit here: only an urgent packet ends it.
        var pool = new AccusingPool();
        using var wire = new PiecewiseWire();
        using var written = new SemaphoreSlim(0);
        SendPump? loop = null;
        SendQueue? queue = null;
        var counters = new LinkCounters();
        int writes = 0;
        queue = new SendQueue(pool, 1 << 20, LanePolicy.Refuse, LanePolicy.Refuse, LanePolicy.Refuse, counters, now => loop!.Signal(now));

        // Called between a write and the decision to let a batch gather, while the loop counts as running.
        void AfterWrite()
        {
            if (++writes <= Rounds)
            {
                _ = queue!.TrySend(new MemoryBody(1024, new byte[] { 1 }), Lane.Urgent, LanePolicy.Refuse);
            }

            written.Release();
        }

        loop = new SendPump(queue, wire, counters, AfterWrite, static _ => { }, rest: Timeout.InfiniteTimeSpan);
        loop.Start(PumpThread.TryStart("test send")!);
        _ = queue.TrySend(new MemoryBody(1024, new byte[] { 1 }), Lane.Urgent, LanePolicy.Refuse);
        for (int round = 0; round <= Rounds; round++)
        {
            Assert.That(await written.WaitAsync(WithinExtensions.Bound), Is.True, $"write {round}");
        }

        queue.Control.Break(goodbyeReason: null);
        loop.End();
        await loop.Completion.Within("the loop's end");
    }

    [Test]
    public async Task A_request_behind_what_is_taken_first_does_not_wait_for_a_batch_to_gather()
    {
        // The batch gathers without limit here. The flag of the request's ring must outlast the packet of a more urgent lane.
        var pool = new AccusingPool();
        using var wire = new PiecewiseWire();
        using var written = new SemaphoreSlim(0);
        SendPump? loop = null;
        SendQueue? queue = null;
        var counters = new LinkCounters();
        int writes = 0;
        queue = new SendQueue(pool, 1 << 20, LanePolicy.Refuse, LanePolicy.Refuse, LanePolicy.Refuse, counters, now => loop!.Signal(now));

        void AfterWrite()
        {
            if (++writes <= Rounds)
            {
                _ = queue!.TrySend(new MemoryBody(1024, new byte[] { 1 }), Lane.Urgent, LanePolicy.Refuse);
            }

            if (writes == Rounds)
            {
                _ = queue!.TrySend(new AwaitedBody(), Lane.Bulk, LanePolicy.Refuse);
            }

            written.Release();
        }

        loop = new SendPump(queue, wire, counters, AfterWrite, static _ => { }, rest: Timeout.InfiniteTimeSpan);
        loop.Start(PumpThread.TryStart("test send")!);
        _ = queue.TrySend(new MemoryBody(1024, new byte[] { 1 }), Lane.Urgent, LanePolicy.Refuse);
        for (int round = 0; round <= Rounds + 1; round++)
        {
            Assert.That(await written.WaitAsync(WithinExtensions.Bound), Is.True, $"write {round}");
        }

        queue.Control.Break(goodbyeReason: null);
        loop.End();
        await loop.Completion.Within("the loop's end");
    }

    private readonly struct AwaitedBody : IPacketBody
    {
        public ushort Type => 1024;

        public int KnownSize => 1;

        public PacketLevel Level => PacketLevel.None;

        public bool UsesTables => false;

        public bool IsAwaited => true;

        public void WriteTo(FrameWriter frames) => new MemoryBody(1024, new byte[] { 1 }).WriteTo(frames);
    }
}
