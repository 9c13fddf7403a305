using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Wires;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

internal sealed class UrgentRingTests
{
    private const int Rounds = 40;

    [Test]
    public Task An_urgent_packet_queued_just_before_the_loop_lets_a_batch_gather_does_not_wait_for_it() =>
        WriteAsync(Rounds + 1, static (queue, writes) => SendUrgent(queue, writes));

    // The flag of the request's ring must outlast the packet of a more urgent lane.
    [Test]
    public Task A_request_behind_what_is_taken_first_does_not_wait_for_a_batch_to_gather() =>
        WriteAsync(Rounds + 2, static (queue, writes) =>
        {
            SendUrgent(queue, writes);
            if (writes == Rounds)
            {
                _ = queue.TrySend(new AwaitedBody(), Lane.Bulk, LanePolicy.Refuse);
            }
        });

    /// <summary>Sends one urgent packet, and waits for so many writes. A batch gathers without limit here: only an urgent packet ends it.
    /// </summary>
    /// <param name="expected">How many writes there must be.</param>
    /// <param name="afterWrite">Gets the queue and the number of writes so far, between a write and the decision to let a batch gather,
    /// while the loop counts as running.</param>
    private static async Task WriteAsync(int expected, Action<SendQueue, int> afterWrite)
    {
        var pool = new AccusingPool();
        using var wire = new PiecewiseWire();
        using var written = new SemaphoreSlim(0);
        SendQueue? queue = null;
        var counters = new LinkCounters();
        var signal = new SendSignal(counters);
        int writes = 0;
        queue = Queues.Make(pool, 1 << 20, counters, signal);

        void AfterWrite()
        {
            afterWrite(queue!, ++writes);
            written.Release();
        }

        var loop = new SendPump(queue, signal, wire, new WriteEvents { Written = AfterWrite }, rest: Timeout.InfiniteTimeSpan);
        loop.Start(PumpThread.TryStart("test send")!);
        SendUrgent(queue, writes);
        for (int write = 0; write < expected; write++)
        {
            Assert.That(await written.WaitAsync(WithinExtensions.Bound), Is.True, $"write {write}");
        }

        queue.Break(goodbyeReason: null);
        signal.End();
        await loop.Completion.Within("the loop's end");
    }

    private static void SendUrgent(SendQueue queue, int writes)
    {
        if (writes <= Rounds)
        {
            _ = queue.TrySend(new MemoryBody(1024, new byte[] { 1 }), Lane.Urgent, LanePolicy.Refuse);
        }
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
