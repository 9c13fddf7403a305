using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Backpressure: Full, waiting for capacity, and what the lanes' policies do.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkFlow(string wire)
{
    private const int Budget = 256 << 10;

    [Promise("Sending", "`TrySend` never waits: when the queue is full it returns `Full`, and memory stays within `MaxQueuedBytes`.")]
    [Test]
    public async Task A_stalled_receiver_makes_sends_full_and_the_queue_stays_within_its_budget()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = Budget);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        int queued = Fill(main, 1_000);
        Assert.That(main.TrySend(TestPackets.Numbered, Packet(0, 1_000)), Is.EqualTo(SendResult.Full));
        Assert.That(main.Counters.FullAnswers, Is.GreaterThanOrEqualTo(2));
        Task<List<RawFrame>> reading = ReadAllAsync(peer);
        LinkEnd end = await main.CloseAsync().Within("the close");
        Assert.That(end.IsClean, Is.True, end.ToString());
        Assert.That((await reading.Within("the frames")).Count(f => f.Lane == 2), Is.EqualTo(queued));
        Assert.That(end.Receipt.Dropped, Is.Zero, "Refuse is not counted as dropped");
    }

    [Test]
    public async Task Bytes_larger_than_the_peer_takes_are_too_large_also_where_the_queue_is_full()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = Budget);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        int queued = Fill(main, 1_000);
        TransportException? fault =
            Assert.Throws<TransportException>(() => _ = main.TrySendRaw(2000, new byte[(int)main.Peer.MaxPacketBytes + 1]));
        Assert.That(fault!.Fault, Is.EqualTo(TransportFault.PacketTooLarge), "waiting for capacity would not help");
        _ = ReadAllAsync(peer);
        Assert.That((await main.CloseAsync().Within("the close")).Receipt.Sent, Is.EqualTo(queued));
    }

    [Test]
    public async Task An_empty_queue_takes_a_packet_larger_than_its_budget()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = 64 << 10);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Numbered, Packet(0, 5_000_000)), Is.EqualTo(SendResult.Queued));
        Assert.That(main.TrySend(TestPackets.Numbered, Packet(1, 10)), Is.EqualTo(SendResult.Full));
        _ = ReadAllAsync(peer);
        Assert.That((await main.CloseAsync().Within("the close")).Receipt.Sent, Is.EqualTo(1));
    }

    [Test]
    public async Task Send_async_completes_when_there_is_capacity_and_can_be_cancelled_before()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = Budget);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        int queued = Fill(main, 20_000);
        using var cancel = new CancellationTokenSource();
        Task<SendResult> cancelled = main.SendAsync(TestPackets.Numbered, Packet(-1, 40_000), cancellationToken: cancel.Token).AsTask();
        Task<SendResult>[] waiting =
            [.. Enumerable.Range(0, 10).Select(i => main.SendAsync(TestPackets.Numbered, Packet(i, 40_000)).AsTask())];
        Assert.That(waiting.All(t => !t.IsCompleted), Is.True);
        cancel.Cancel();
        Assert.That(async () => await cancelled.Within("the cancelled wait"), Throws.InstanceOf<OperationCanceledException>());
        Task<List<RawFrame>> reading = ReadAllAsync(peer);
        Assert.That(await Task.WhenAll(waiting).Within("capacity"), Is.All.EqualTo(SendResult.Queued));
        Assert.That((await main.CloseAsync().Within("the close")).Receipt.Sent, Is.EqualTo(queued + 10));
        await reading;
        Assert.That(main.Counters.TimeWaitedForCapacity, Is.GreaterThan(TimeSpan.Zero));
    }

    [Test]
    public async Task Send_wait_gives_up_at_its_deadline_and_succeeds_when_there_is_capacity()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = Budget);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Fill(main, 20_000);
        Assert.That(main.Send(TestPackets.Numbered, Packet(0, 40_000), TimeSpan.FromMilliseconds(60)), Is.EqualTo(SendResult.Full));
        Assert.That(main.Counters.TimeWaitedForCapacity, Is.GreaterThanOrEqualTo(TimeSpan.FromMilliseconds(50)));
        var result = new TaskCompletionSource<SendResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task waiting = WireReading.OnThread(() => result.SetResult(main.Send(TestPackets.Numbered, Packet(0, 40_000), TimeSpan.MaxValue)));
        _ = ReadAllAsync(peer);
        Assert.That(await result.Task.Within("capacity"), Is.EqualTo(SendResult.Queued), "an endless deadline is one, too");
        await waiting;
        LinkEnd end = await main.CloseAsync(timeout: TimeSpan.MaxValue).Within("the close");
        Assert.That(end.Receipt.Dropped, Is.Zero);
    }

    [Test]
    public async Task Who_waits_for_capacity_hears_of_the_close_and_later_sends_are_closed()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = Budget);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Fill(main, 20_000);
        Task<SendResult> waiting = main.SendAsync(TestPackets.Numbered, Packet(0, 40_000)).AsTask();
        Task<LinkEnd> closing = main.CloseAsync();
        Assert.That(await waiting.Within("the answer"), Is.EqualTo(SendResult.Closed));
        Assert.That(main.TrySend(TestPackets.Numbered, Packet(0, 1)), Is.EqualTo(SendResult.Closed));
        Assert.That(main.TrySendRaw(1024, [0xc0]), Is.EqualTo(SendResult.Closed));
        Assert.That(main.Send(TestPackets.Numbered, Packet(0, 1), TimeSpan.FromSeconds(9)), Is.EqualTo(SendResult.Closed));
        _ = ReadAllAsync(peer);
        Assert.That((await closing.Within("the close")).IsClean, Is.True);
    }

    [Test]
    public async Task Policy_drop_reports_the_peer_before_the_lanes_next_packet_and_before_Goodbye()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => (o.MaxQueuedBytes, o.NormalPolicy) = (Budget, LanePolicy.Drop));
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        int queued = Fill(main, 20_000);
        int[] levels = [1, 1, 4];
        foreach (int level in levels)
        {
            Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(level, 0, new byte[40_000])), Is.EqualTo(SendResult.Full));
        }

        // What Fill was refused at its end has sender 0, so level 0.
        var frames = new List<RawFrame>();
        while (frames.Count(f => f.Lane == 2) < queued)
        {
            frames.Add(await peer.ReadAsync());
        }

        Assert.That(SpinWait.SpinUntil(() => main.Counters.QueuedBytes == 0, WithinExtensions.Bound), Is.True);
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(9, 99, [])), Is.EqualTo(SendResult.Queued));
        List<RawFrame> next = [.. (await peer.ReadUntilAsync(1024)).Where(f => f.Type is not RawPeer.Ping)];
        Assert.That(next.Select(f => f.Type), Is.EqualTo(new[] { RawPeer.Dropped, 1024 }), "Dropped, then at once the lane's next packet");
        Dictionary<string, object?> reported = next[0].Map;
        Assert.That((reported["lane"], reported["packets"]), Is.EqualTo(((object)2L, (object)4L)));
        Assert.That((Dictionary<string, object?>)reported["byLevel"]!, Is.EquivalentTo(new Dictionary<string, object?>
        {
            ["0"] = 1L, ["1"] = 2L, ["4"] = 1L,
        }));

        Fill(main, 20_000);
        Task<LinkEnd> closing = main.CloseAsync();
        List<RawFrame> last = await peer.ReadUntilAsync(RawPeer.Goodbye);
        Assert.That(last[last.Count - 2].Type, Is.EqualTo(RawPeer.Dropped), "reported before Goodbye");
        Answer(peer, last[last.Count - 1]);
        LinkEnd end = await closing.Within("the close");
        Assert.That(end.IsClean, Is.True, end.ToString());
        Assert.That(end.Receipt.Dropped, Is.EqualTo(5));
        Assert.That(end.Receipt.DroppedByLevel, Is.EquivalentTo(
            new Dictionary<PacketLevel, long> { [PacketLevel.Trace] = 2, [PacketLevel.Debug] = 2, [PacketLevel.Error] = 1 }));
    }

    [Test]
    public async Task The_peer_knows_exactly_what_was_dropped()
    {
        await using LinkRig rig =
            await LinkRig.OpenAsync(wire, worker: o => (o.MaxQueuedBytes, o.NormalPolicy) = (Budget, LanePolicy.Drop));
        var gate = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, async (_, _) =>
        {
            began.TrySetResult(true);
            await gate.Task;
        }));
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Worker.TrySend(TestPackets.Numbered, Packet(0, 1)), Is.EqualTo(SendResult.Queued));
        await began.Task.Within("the handler that holds the reader up");
        int queued = Fill(rig.Worker, 20_000) + 1;
        for (int i = 1; i < 1_000; i++)
        {
            Assert.That(rig.Worker.TrySend(TestPackets.Numbered, Packet(i, 400_000)), Is.EqualTo(SendResult.Full));
        }

        gate.SetResult(true);
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        LinkEnd other = await rig.Main.Completion.Within("the other end");
        Assert.That((end.Receipt.Sent, end.Receipt.Acknowledged, end.Receipt.Dropped), Is.EqualTo(((long)queued, (long)queued, 1000L)));
        Assert.That((other.Receipt.Received, other.Receipt.PeerDropped), Is.EqualTo(((long)queued, 1000L)));
    }

    private static Numbered Packet(int number, int size) => new(0, number, new byte[size]);

    /// <summary>Sends until the answer is Full and nothing moves any more; then has one packet refused that could not fit at all.</summary>
    private static int Fill(Link link, int size)
    {
        int queued = 0;
        long stillAt = -1;
        int stills = 0;
        while (true)
        {
            SendResult result = link.Send(TestPackets.Numbered, Packet(queued, size), TimeSpan.FromMilliseconds(100));
            long bytes = link.Counters.QueuedBytes;
            Assert.That(bytes, Is.LessThanOrEqualTo(Budget));
            if (result == SendResult.Queued)
            {
                queued++;
                Assert.That(queued, Is.LessThan(100_000), "never full");
            }
            else if (bytes == stillAt && ++stills == 8)
            {
                // Counted once by the lane's policy; Send counts nothing as dropped.
                Assert.That(link.TrySend(TestPackets.Numbered, Packet(queued, 300_000)), Is.EqualTo(SendResult.Full));
                return queued;
            }

            stills = bytes == stillAt ? stills : 0;
            stillAt = bytes;
        }
    }

    private static async Task<List<RawFrame>> ReadAllAsync(RawPeer peer)
    {
        List<RawFrame> frames = await peer.ReadUntilAsync(RawPeer.Goodbye);
        Answer(peer, frames[frames.Count - 1]);
        return frames;
    }

    private static void Answer(RawPeer peer, RawFrame goodbye)
    {
        peer.Send(0, RawPeer.Ack, Bodies.Map(("packets", goodbye.Map["packets"])));
        peer.SendGoodbye(0);
        peer.Wire.Shutdown();
    }
}
