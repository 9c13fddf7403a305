using System;
using System.Collections.Concurrent;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Conformance.Wires;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What stands still is named within the stall time, with who waits for whom; by a clock that the test owns.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkStalls(string wire)
{
    private const int Size = 20_000;

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(10);

    private TaskCompletionSource<bool> _free = null!;

    [SetUp]
    public void Hold() => _free = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>A handler that waits for its own link: what it waits for would have to be read by the loop that it holds up.</summary>
    [Promise("Handling", "A handler that does not return is reported within `StallTimeout`, with what it waits for.")]
    [Test]
    public async Task A_handler_that_waits_for_its_own_link_is_named_within_the_stall_time([Values("request", "close")] string how)
    {
        var clock = new ManualClock();
        var stalls = new StallLog();
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.TimeProvider = clock, o => o.TimeProvider = clock);
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter());
        stalls.Of(rig.Worker).Start(new PacketRouter().On(TestPackets.Text, async (_, _) =>
        {
            Task waiting = how == "close" ? rig.Worker.CloseAsync()
                : rig.Worker.RequestAsync(TestPackets.Text, TestPackets.Text, "and you?");
            began.TrySetResult(true);
            await Task.WhenAny(waiting, _free.Task);
        }));
        await PulseAsync(rig, clock);
        _ = rig.Main.TrySend(TestPackets.Text, "ask me");
        await began.Task.Within("the handler");
        Assert.That(SpinWait.SpinUntil(() => rig.Worker.Counters.QueuedBytes == 0, WithinExtensions.Bound), Is.True,
            "the question is on its way");
        clock.Advance(Timeout - TimeSpan.FromSeconds(2));
        Assert.That(stalls.IsEmpty, Is.True, "not before its time");
        clock.Advance(TimeSpan.FromSeconds(2));
        StallReport report = stalls.Next();
        using (Assert.EnterMultipleScope())
        {
            Assert.That((report.Kind, report.Node, report.Peer, report.IsOver), Is.EqualTo((StallKind.Handler, "w1", "main", false)));
            Assert.That(report.Packet, Is.EqualTo("Text (1025)"));
            Assert.That(report.WaitsFor, Is.EqualTo(how == "close" ? "CloseAsync" : "RequestAsync"));
            Assert.That((report.Duration, report.Since), Is.EqualTo((Timeout, clock.GetUtcNow() - Timeout)));
            Assert.That(report.ToString(), Does.Contain("main waits for w1").And.Contain("a deadlock").And.Not.Contain("\n"));
        }

        _free.SetResult(true);
        StallReport over = After(() => rig.Worker.Reading.IsWaiting || rig.Worker.Completion.IsCompleted, clock, stalls);
        Assert.That((over.Kind, over.IsOver, over.Packet), Is.EqualTo((StallKind.Handler, true, "Text (1025)")));
        Assert.That(stalls.IsEmpty, Is.True, "each is reported once");
    }

    /// <summary>Both queues full, and in each side's handler a send that waits for capacity: each waits for the other's reader.</summary>
    [Test]
    public async Task Handlers_of_both_sides_that_wait_for_capacity_are_named_before_they_are_ended([Values("async", "wait")] string how)
    {
        var clock = new ManualClock();
        var stalls = new StallLog();
        void Small(LinkOptions options) => (options.MaxQueuedBytes, options.TimeProvider) = (64 << 10, clock);
        await using LinkRig rig = await LinkRig.OpenAsync(wire, Small, Small);
        PacketRouter Answering(Link link)
        {
            async Task Answer(Numbered packet)
            {
                while ((how == "wait" ? link.Send(TestPackets.Numbered, packet, TimeSpan.FromMinutes(9))
                    : await link.SendAsync(TestPackets.Numbered, packet)) == SendResult.Queued)
                {
                }
            }

            return new PacketRouter().On(TestPackets.Numbered, (one, _) => Answer(one));
        }

        stalls.Of(rig.Main).Start(Answering(rig.Main));
        stalls.Of(rig.Worker).Start(Answering(rig.Worker));
        _ = rig.Main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[Size]));
        _ = rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[Size]));
        Assert.That(SpinWait.SpinUntil(() => rig.Main.Receipt.Sent > 1 && rig.Worker.Receipt.Sent > 1, WithinExtensions.Bound), Is.True,
            "both handlers");
        await Stalled.StandsAsync(() => rig.Main.Counters.BytesSent + rig.Worker.Counters.BytesSent, () => HasNoCapacity(rig.Main)
            && HasNoCapacity(rig.Worker));
        clock.Advance(Timeout);
        StallReport[] four = [stalls.Next(), stalls.Next(), stalls.Next(), stalls.Next()];
        foreach (string node in new[] { "main", "w1" })
        {
            StallReport handler = Array.Find(four, r => r.Node == node && r.Kind == StallKind.Handler)!;
            StallReport peer = Array.Find(four, r => r.Node == node && r.Kind == StallKind.Peer)!;
            Assert.That(handler?.ToString(), Does.Contain("Numbered (1024)").And.Contain("SendAsync or Send"), node);
            Assert.That(handler!.QueuedBytes, Is.GreaterThan(0), node);
            Assert.That(peer?.ToString(), Does.Contain($"{node} waits for"), node);
        }

        Assert.That((rig.Main.State(), rig.Worker.State()), Is.EqualTo((LinkState.Open, LinkState.Open)), "a report ends nothing");
        await AbortAsync(clock, rig.Main);
        await AbortAsync(clock, rig.Worker);

        static bool HasNoCapacity(Link link) => link.Counters.QueuedBytes + Size > 64 << 10;
    }

    [Test]
    public async Task A_peer_whose_handler_does_not_return_is_named_at_the_other_end_too()
    {
        var clock = new ManualClock();
        var stalls = new StallLog();
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.TimeProvider = clock, o => o.TimeProvider = clock);
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        stalls.Of(rig.Main).Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter().On(TestPackets.Text, async (_, _) =>
        {
            began.TrySetResult(true);
            await _free.Task;
        }));
        await PulseAsync(rig, clock);
        _ = rig.Main.TrySend(TestPackets.Text, "hold");
        await began.Task.Within("the handler");
        Assert.That(SpinWait.SpinUntil(() => rig.Main.Counters is { PacketsSent: 1, QueuedBytes: 0 }, WithinExtensions.Bound), Is.True);
        long heard = rig.Main.Counters.BytesReceived;
        clock.Advance(TimeSpan.FromSeconds(7.5));
        Assert.That(SpinWait.SpinUntil(() => rig.Main.Counters.BytesReceived > heard && rig.Main.Reading.IsWaiting, WithinExtensions.Bound),
            Is.True, "its Ping");
        clock.Advance(TimeSpan.FromSeconds(2.5));
        StallReport report = stalls.Next();
        Assert.That((report.Kind, report.Node, report.Peer, report.Unacknowledged, report.QueuedBytes, report.Packet),
            Is.EqualTo((StallKind.Peer, "main", "w1", 1, 0, (string?)null)));
        Assert.That(report.PeerQueuedBytes, Is.Zero, "its Pings report");
        Assert.That(report.ToString(),
            Does.Contain("main waits for w1").And.Contain("1 sent and not handled").And.Contain("queued 0 B here, 0 B there"));
        _free.SetResult(true);
        StallReport over = After(() => rig.Main.Receipt.Acknowledged == 1, clock, stalls);
        Assert.That((over.Kind, over.IsOver, over.LinkEnded, over.Unacknowledged), Is.EqualTo((StallKind.Peer, true, false, 0)));
    }

    [Test]
    public async Task A_peer_that_reads_nothing_is_named_with_what_is_queued_at_both_ends()
    {
        var clock = new ManualClock();
        var stalls = new StallLog();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => (o.MaxQueuedBytes, o.TimeProvider) = (64 << 10, clock));
        await using RawPeer rawPeer = peer;
        stalls.Of(main).Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[5_000_000])), Is.EqualTo(SendResult.Queued));
        peer.Send(0, RawPeer.Ping, Bodies.Map(("id", 1), ("queuedBytes", 777)));
        Assert.That(SpinWait.SpinUntil(() => main.Counters.BytesReceived > 0 && main.Reading.IsWaiting, WithinExtensions.Bound), Is.True);
        await Stalled.StandsAsync(() => main.Counters.BytesSent);
        clock.Advance(Timeout);
        StallReport report = stalls.Next();
        Assert.That((report.Kind, report.Peer, report.PeerQueuedBytes, report.QueuedBytes > 0),
            Is.EqualTo((StallKind.Peer, "n1", 777L, true)));
        Assert.That(report.ToString(), Does.Contain("nothing of what is queued could be written").And.Contain("777 B there"));
        await AbortAsync(clock, main);
        StallReport over = stalls.Next();
        Assert.That((over.IsOver, over.LinkEnded), Is.EqualTo((true, true)));
    }

    [Test]
    public async Task A_peer_that_answers_no_Ping_is_named_before_its_silence_ends_the_link()
    {
        var clock = new ManualClock();
        var stalls = new StallLog();
        (RawPeer peer, Link main) =
            await RawPeer.OpenAsync(wire, o => (o.TimeProvider, o.Heartbeat.StallTimeout) = (clock, TimeSpan.FromSeconds(4)));
        await using RawPeer rawPeer = peer;
        stalls.Of(main).Start(new PacketRouter());
        peer.Send(2, 2000, [0xc0]);
        await peer.ReadUntilAsync(RawPeer.Ack);
        Assert.That(SpinWait.SpinUntil(() => main.Reading.IsWaiting, WithinExtensions.Bound), Is.True);
        clock.Advance(TimeSpan.FromSeconds(8));
        Assert.That(stalls.IsEmpty, Is.True, "asked after 5 s of silence");

        // Writing the Ping may wake the loop for a moment, and a look in that moment finds it not waiting: then the next one reports.
        RawFrame ping = await peer.ReadAsync();
        for (int looks = 0; looks < 20 && (looks == 0 || !stalls.IsSoonThere()); looks++)
        {
            Assert.That(SpinWait.SpinUntil(() => main.Reading.IsWaiting, WithinExtensions.Bound), Is.True);
            clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.That(stalls.Next().ToString(), Does.Contain("it answers no Ping").And.Match(
            @"its last frame came (9|[12]\d)\.0 s ago").And.Contain("what is queued there it has not reported"));
        long heard = main.Counters.BytesReceived;
        peer.Send(0, RawPeer.Pong, Bodies.Map(("id", ping.Map["id"])));
        Assert.That(After(() => main.Counters.BytesReceived > heard && main.Reading.IsWaiting, clock, stalls).IsOver, Is.True);
    }

    /// <summary>Slow is not stuck: one packet handled between two looks is enough, also while one large segment is written all the
    /// time.</summary>
    [Test]
    public async Task A_slow_handler_and_a_slow_peer_are_no_stall([Values] bool isFull)
    {
        var clock = new ManualClock();
        var stalls = new StallLog();
        using var steps = new SemaphoreSlim(0);
        await using LinkRig rig = await LinkRig.OpenAsync(
            wire, o => (o.TimeProvider, o.MaxQueuedBytes) = (clock, 2 << 20), o => o.TimeProvider = clock);
        stalls.Of(rig.Main).Start(new PacketRouter());
        stalls.Of(rig.Worker).Start(new PacketRouter().On(TestPackets.Text, async (_, _) => await steps.WaitAsync()));
        for (int i = 0; i < 20; i++)
        {
            _ = rig.Main.TrySend(TestPackets.Text, "step");
        }

        if (isFull)
        {
            while (rig.Main.TrySend(TestPackets.Text, new string('.', 250)) == SendResult.Queued)
            {
            }

            await Stalled.StandsAsync(() => rig.Main.Counters.BytesSent, () => rig.Main.Counters.QueuedBytes > 0);
        }

        for (int i = 1; i <= 12; i++)
        {
            steps.Release();
            Assert.That(SpinWait.SpinUntil(() => rig.Worker.Receipt.Taken == i, WithinExtensions.Bound), Is.True);
            clock.Advance(TimeSpan.FromSeconds(1.25));
            Assert.That(SpinWait.SpinUntil(() => rig.Main.Receipt.Acknowledged == i, WithinExtensions.Bound), Is.True,
                "reported, though its input has not run out");
            clock.Advance(TimeSpan.FromSeconds(6.25));
        }

        Assert.That(stalls.IsEmpty, Is.True);
        steps.Release(int.MaxValue / 2);
    }

    /// <summary>Lets both sides look once, so that they have seen the link at rest.</summary>
    private static async Task PulseAsync(LinkRig rig, ManualClock clock)
    {
        await WireReading.OnThread(() =>
            Assert.That(SpinWait.SpinUntil(() => rig.Main.Reading.IsWaiting && rig.Worker.Reading.IsWaiting, WithinExtensions.Bound),
                Is.True));
        clock.Advance(TimeSpan.FromSeconds(1.25));
    }

    /// <summary>Gives the report of the look after something.</summary>
    private static StallReport After(Func<bool> what, ManualClock clock, StallLog stalls)
    {
        Assert.That(SpinWait.SpinUntil(what, WithinExtensions.Bound), Is.True);
        clock.Advance(TimeSpan.FromSeconds(1.25));
        return stalls.Next();
    }

    /// <summary>Ends a link whose write hangs: its last output have a time by the test's clock.</summary>
    private static Task AbortAsync(ManualClock clock, Link link) => WireReading.OnThread(() =>
    {
        link.Abort("seen");
        Assert.That(SpinWait.SpinUntil(
            () =>
            {
                clock.Advance(TimeSpan.FromMilliseconds(100));
                return link.Completion.IsCompleted;
            },
            WithinExtensions.Bound), Is.True, "the end");
    });
}
