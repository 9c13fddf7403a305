using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Wires;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

/// <summary>After a burst the send thread rests before it parks, so that the next burst's first send does not pay for a wake. Rests have
/// no end here but an urgent packet, so that what is seen does not depend on time.</summary>
internal sealed class BurstTests
{
    private readonly LinkCounters _counters = new();
    private AccusingPool _pool = null!;
    private GatedWire _wire = null!;
    private SendQueue _queue = null!;
    private SendSignal _signal = null!;
    private SendPump _pump = null!;
    private volatile int _behind;   // bytes that the pump writes behind packets

    [SetUp]
    public void Start()
    {
        _behind = 0;
        _pool = new AccusingPool();
        _wire = new GatedWire();
        _signal = new SendSignal(_counters);
        _queue = Queues.Make(_pool, 1 << 20, _counters, _signal);
        _pump = new SendPump(_queue, _signal, _wire, new WriteEvents { Writing = _ => _behind }, rest: Timeout.InfiniteTimeSpan);
        _pump.Start(PumpThread.TryStart("test send")!);
        Until(() => _signal.IsIdle, "parked");
    }

    [TearDown]
    public async Task End()
    {
        _queue.Break(goodbyeReason: null);
        _signal.End();
        await _pump.Completion.Within("the pump's end");
        _pool.Judge("queue's");
        _wire.Dispose();
    }

    [Test]
    public void A_send_after_a_burst_wakes_nobody_and_what_is_awaited_does()
    {
        SendBurst(64);
        long wakes = _counters.Wakes;
        long written = _queue.PacketsWritten;
        for (int i = 0; i < 10; i++)
        {
            Send(1024, Lane.Normal);
        }

        Assert.That((_counters.Wakes, _queue.PacketsWritten, _signal.IsIdle), Is.EqualTo((wakes, written, false)), "it rests");
        Send(RequestTypes.Response, Lane.Normal);
        Until(() => _queue.PacketsWritten == written + 11, "the answer, and all before it");
        Assert.That(_counters.Wakes, Is.EqualTo(wakes), "a thread that rests is not parked");
    }

    [Test]
    public void An_item_of_a_stream_waits_for_the_batch_and_an_urgent_packet_does_not()
    {
        SendBurst(64);
        long written = _queue.PacketsWritten;
        Send(RequestTypes.Item, Lane.Normal);
        Assert.That(_queue.PacketsWritten, Is.EqualTo(written));
        Send(1024, Lane.Urgent);
        Until(() => _queue.PacketsWritten == written + 2, "both");
    }

    [Test]
    public void The_thread_parks_when_no_burst_has_come_for_two_rests()
    {
        SendBurst(64);
        for (int rest = 0; rest < 2; rest++)
        {
            Until(() => _signal.IsResting, $"rest {rest}");
            long written = _queue.PacketsWritten;
            Send(1024, Lane.Urgent);   // ends a rest
            Until(() => _queue.PacketsWritten == written + 1, "the packet");
        }

        Until(() => _signal.IsIdle, "parked");
    }

    [Test]
    public void Few_packets_are_no_burst()
    {
        SendBurst(16);
        Until(() => _signal.IsIdle, "parked");
    }

    /// <summary>Two rests behind each window of a sender that waits for its acknowledgment woke the thread for nothing.</summary>
    [Test]
    public void A_burst_whose_sender_waits_for_the_acknowledgment_is_not_followed_by_a_rest()
    {
        _behind = 1;
        SendBurst(64, rests: false);
        Until(() => _signal.IsIdle, "parked");
    }

    /// <summary>Queues packets behind a write that stands still, so that the thread takes them at once.</summary>
    private void SendBurst(int packets, bool rests = true)
    {
        Send(1024, Lane.Urgent);
        Until(() => _wire.IsAtGate, "a write");
        for (int i = 0; i < packets; i++)
        {
            Send(1024, Lane.Normal);
        }

        _wire.Open();
        Until(() => _queue.PacketsWritten == packets + 1, "the burst");
        Until(() => !rests || packets < 32 || _signal.IsResting, "a rest");
    }

    private void Send(ushort type, Lane lane) => Assert.That(
        _queue.TrySend(new MemoryBody(type, new byte[] { 0xc0 }), lane, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));

    private static void Until(Func<bool> holds, string what) =>
        Assert.That(SpinWait.SpinUntil(holds, WithinExtensions.Bound), Is.True, what);
}
