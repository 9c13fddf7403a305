using System;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Wires;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

internal sealed class SendPumpDefectTests
{
    private static readonly MemoryBody Nil = new(1024, new byte[] { 0xc0 });

    [Test]
    public async Task A_defect_in_a_callback_of_the_send_loop_closes_the_queue_and_gives_everything_back([Values] bool failureThrowsToo)
    {
        var pool = new AccusingPool();
        using var wire = new GatedWire();
        var counters = new LinkCounters();
        var signal = new SendSignal(counters);
        SendQueue queue = Queues.Make(pool, 1 << 20, counters, signal);
        IOException? failure = null;
        var loop = new SendPump(queue, signal, wire, new WriteEvents
        {
            Written = () => throw new InvalidOperationException("a defect"),
            Failed = broken =>
            {
                failure = broken;
                if (failureThrowsToo)
                {
                    throw new InvalidOperationException("another defect");
                }
            },
        });
        loop.Start(PumpThread.TryStart("test send")!);
        Assert.That(queue.TrySend(Nil, Lane.Normal, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));
        Assert.That(System.Threading.SpinWait.SpinUntil(() => wire.IsAtGate, WithinExtensions.Bound), Is.True);
        Assert.That(queue.TrySend(Nil, Lane.Bulk, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));
        wire.Open();
        await loop.Completion.Within("the loop's end");
        using (Assert.EnterMultipleScope())
        {
            Assert.That(failure?.InnerException?.Message, Is.EqualTo("a defect"));
            Assert.That(queue.TrySend(Nil, Lane.Normal, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Closed));
            Assert.That((queue.PacketsWritten, queue.Dropped().Packets, queue.QueuedBytes), Is.EqualTo((1L, 1L, 0L)));
        }

        pool.Judge("queue's");
    }

    [Test]
    public async Task A_packet_that_cannot_be_handed_over_ends_the_send_loop_and_every_packet_is_accounted_for(
        [Values(1, 200_000)] int size)
    {
        var pool = new AccusingPool();
        using var wire = new GatedWire();
        var counters = new LinkCounters();
        var signal = new SendSignal(counters);
        SendQueue queue = Queues.Make(pool, 1 << 20, counters, signal, observer: static _ => new ThirdThrows());
        var failure = new TaskCompletionSource<IOException>();
        var loop = new SendPump(queue, signal, wire, new WriteEvents { Failed = broken => failure.TrySetResult(broken) });
        loop.Start(PumpThread.TryStart("test send")!);
        Assert.That(queue.TrySend(Nil, Lane.Normal, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));
        Assert.That(System.Threading.SpinWait.SpinUntil(() => wire.IsAtGate, WithinExtensions.Bound), Is.True);
        Assert.That(queue.TrySend(Nil, Lane.Normal, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));
        var third = new MemoryBody(1024, new byte[size]);
        Assert.That(queue.TrySend(third, Lane.Normal, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));
        Assert.That(queue.TrySend(Nil, Lane.Normal, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Closed), "nothing may follow it");
        wire.Open();
        await loop.Completion.Within("the loop's end");
        Assert.That((await failure.Task.Within("the failure")).Message, Does.Contain("a defect"));
        Assert.That((queue.PacketsWritten, queue.Dropped().Packets), Is.EqualTo((1L, 2L)));
        pool.Judge("queue's");
    }

    [Test]
    public async Task Two_lanes_whose_packets_cannot_be_handed_over_leave_nothing_behind()
    {
        var pool = new AccusingPool();
        using var wire = new GatedWire();
        var signal = new SendSignal(new LinkCounters());
        SendQueue queue = Queues.Make(pool, 1 << 20, signal: signal, observer: static _ => new SecondThrows());
        var failure = new TaskCompletionSource<IOException>();
        var loop = new SendPump(queue, signal, wire, new WriteEvents { Failed = broken => failure.TrySetResult(broken) });
        loop.Start(PumpThread.TryStart("test send")!);
        Assert.That(queue.TrySend(Nil, Lane.Urgent, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));
        Assert.That(System.Threading.SpinWait.SpinUntil(() => wire.IsAtGate, WithinExtensions.Bound), Is.True);
        foreach (Lane lane in (Lane[])[Lane.Normal, Lane.Bulk, Lane.Normal, Lane.Bulk])
        {
            Assert.That(queue.TrySend(Nil, lane, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));
        }

        wire.Open();
        await loop.Completion.Within("the loop's end");
        Assert.That((await failure.Task.Within("the failure")).Message, Does.Contain("a defect"));
        Assert.That((queue.PacketsWritten, queue.Dropped().Packets), Is.EqualTo((1L, 4L)));
        pool.Judge("queue's");
    }

    private sealed class SecondThrows : ILaneObserver
    {
        private long _packets;

        public void Committed(in CommittedFrames frames, int packets)
        {
            if (++_packets == 2)
            {
                throw new InvalidOperationException("a defect");
            }
        }

        public void Written(int packets)
        {
        }
    }

    private sealed class ThirdThrows : ILaneObserver
    {
        private long _packets;

        public void Committed(in CommittedFrames frames, int packets)
        {
            if (++_packets == 3)
            {
                throw new InvalidOperationException("a defect");
            }
        }

        public void Written(int packets)
        {
        }
    }
}
