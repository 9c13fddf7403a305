using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Packets that are kept before they count: Ack means handled and safe.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkKeeping(string wire)
{
    [Test]
    public async Task Each_packet_is_kept_written_out_before_its_handler_and_once([Values] bool slow)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var store = new TestStore { IsSlow = slow };
        store.Release();
        List<string> handled = [];
        List<int> keptBefore = [];
        rig.Main.Start(new PacketRouter().UseStore(store)
            .On(Words.Type, (words, _) =>
            {
                keptBefore.Add(store.Kept.Count);
                handled.Add(words.Show());
            }));
        rig.Worker.Start(new PacketRouter());
        Words[] sent = [.. Enumerable.Range(0, 60).Select(i => Words.Of($"a text that comes again {i % 3}"))];
        foreach (Words words in sent)
        {
            _ = rig.Worker.Send(Words.Type, words, WithinExtensions.Bound);
        }

        _ = rig.Worker.TrySendRaw(2000, [0xc3]);   // nobody handles it
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        LinkEnd main = await rig.Main.Completion.Within("the main node's end");
        using (Assert.EnterMultipleScope())
        {
            Assert.That(end.IsClean && end.Receipt.NoLossKnown, Is.True, $"{end}, {end.Receipt}");
            Assert.That(end.Receipt.Sent, Is.GreaterThan(61), "entries of tables are packets, but none to be kept");
            Assert.That(main.Receipt.Flushed, Is.EqualTo(main.Receipt.Received).And.EqualTo(end.Receipt.Acknowledged));
            Assert.That(keptBefore, Is.EqualTo(Enumerable.Range(1, 60)));
            Assert.That(handled, Is.EqualTo(sent.Select(w => w.Show())));
            Assert.That(store.Kept.Take(60).Select(k => Words.Type.Formatter.Read(new(k.Body)).Show()), Is.EqualTo(handled),
                "bodies stand for themselves");
            Assert.That(store.Kept.Skip(60).Single(), Is.EqualTo((2000, (byte[])[0xc3])));
        }
    }

    [Test]
    public async Task Goodbye_is_answered_only_when_all_is_safe_by_a_close_of_either_side([Values("worker", "main", "both")] string who)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var store = new TestStore();
        rig.Main.Start(new PacketRouter().UseStore(store));
        rig.Worker.Start(new PacketRouter());
        for (int i = 0; i < 5000; i++)
        {
            _ = rig.Worker.Send(TestPackets.Text, $"text {i}", WithinExtensions.Bound);
        }

        Task<LinkEnd> worker = who == "main" ? rig.Worker.Completion : rig.Worker.CloseAsync();
        Task<LinkEnd> main = who == "worker" ? rig.Main.Completion : rig.Main.CloseAsync();
        Assert.That(SpinWait.SpinUntil(() => rig.Main.Receipt.Taken == 5000, WithinExtensions.Bound), Is.True);
        Assert.That((worker.IsCompleted, main.IsCompleted), Is.EqualTo((false, false)));
        Assert.That((rig.Worker.Receipt.Acknowledged, rig.Main.Receipt.Flushed), Is.EqualTo((0L, 0L)));

        store.Release();
        foreach (LinkEnd end in await Task.WhenAll(worker, main).Within("both ends"))
        {
            Assert.That(end.IsClean && end.Receipt.NoLossKnown, Is.True, $"{end}, {end.Receipt}");
        }

        Assert.That((rig.Worker.Receipt.Acknowledged, rig.Main.Receipt.Flushed), Is.EqualTo((5000L, 5000L)));
        Assert.That(store.Asked, Is.LessThanOrEqualTo(3), "what came while one question was open goes with the next");
    }

    [Test]
    public async Task What_cannot_be_kept_is_neither_handled_nor_acknowledged_and_ends_the_link([Values] bool slow)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var store = new TestStore { IsSlow = slow, Refusal = new IOException("no capacity") };
        int handled = 0;
        rig.Main.Start(new PacketRouter().UseStore(store).On(TestPackets.Text, (_, _) => handled++));
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySend(TestPackets.Text, "text");
        LinkEnd main = await rig.Main.Completion.Within("the main node's end");
        LinkEnd worker = await rig.Worker.Completion.Within("the worker's end");
        Assert.That(main.Fault, Is.EqualTo(TransportFault.HandlerFailed));
        Assert.That(main.Reason, Does.Contain("Text (1025) could not be stored").And.Contain("no capacity"));
        Assert.That((handled, main.Receipt.Flushed, worker.Receipt.Acknowledged), Is.EqualTo((0, 0L, 0L)));
        Assert.That(worker.Fault, Is.EqualTo(TransportFault.HandlerFailed).Or.EqualTo(TransportFault.PeerGone));
    }

    [Test]
    public async Task What_cannot_be_made_safe_is_not_acknowledged_and_ends_the_link()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var store = new TestStore();
        rig.Main.Start(new PacketRouter().UseStore(store));
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySend(TestPackets.Text, "text");
        Task<LinkEnd> closing = rig.Worker.CloseAsync();
        store.Fail(new IOException("the disk is gone"));
        LinkEnd main = await rig.Main.Completion.Within("the main node's end");
        LinkEnd worker = await closing.Within("the worker's end");
        Assert.That(main.Fault, Is.EqualTo(TransportFault.HandlerFailed));
        Assert.That(main.Reason, Does.Contain("could not be flushed by its store").And.Contain("the disk is gone"));
        Assert.That((main.Receipt.Received, main.Receipt.Flushed, worker.Receipt.Acknowledged), Is.EqualTo((1L, 0L, 0L)));
    }

    [Test]
    public async Task A_store_that_blocks_when_the_heartbeat_asks_it_holds_up_neither_the_heartbeat_nor_the_links_end()
    {
        var clock = new ManualClock();
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.TimeProvider = clock, o => o.TimeProvider = clock);
        using var store = new BlockingStore();
        var free = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var inSecond = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        int handled = 0;
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySend(TestPackets.Text, "done");
        _ = rig.Worker.TrySend(TestPackets.Text, "hangs");
        Assert.That(SpinWait.SpinUntil(() => rig.Worker.Receipt.Sent == 2, WithinExtensions.Bound), Is.True, "both come in one read");
        rig.Main.Start(new PacketRouter().UseStore(store).On(TestPackets.Text, async (_, _) =>
        {
            if (++handled == 2)
            {
                inSecond.SetResult(true);
                await free.Task;
            }
        }));
        await inSecond.Task.Within("the second handler");
        Assert.That(store.Asked.IsSet, Is.False, "only the heartbeat asks it here");
        Task advancing = AdvanceAsync(clock, () => store.Asked.IsSet);
        Assert.That(store.Asked.Wait(WithinExtensions.Bound), Is.True, "the heartbeat asks the store");
        Task beating = await Task.WhenAny(advancing, Task.Delay(TimeSpan.FromSeconds(20)));
        rig.Main.Abort("seen");
        Task ending = AdvanceAsync(clock, () => rig.Main.Completion.IsCompleted);
        try
        {
            Assert.That(beating, Is.SameAs(advancing), "the heartbeat goes on");
            Assert.That(await Task.WhenAny(rig.Main.Completion, Task.Delay(TimeSpan.FromSeconds(20))), Is.SameAs(rig.Main.Completion),
                "the end");
        }
        finally
        {
            store.Release();
            free.SetResult(true);
            await Task.WhenAll(advancing, ending).Within("the clock");
        }
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_store_that_waits_hears_that_the_link_has_ended(bool inAppend)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var store = new EndlessStore { InAppend = inAppend };
        rig.Worker.Start(new PacketRouter());
        rig.Main.Start(new PacketRouter().UseStore(store).On(TestPackets.Text, (_, _) => { }));
        _ = rig.Worker.TrySend(TestPackets.Text, "one");
        await store.Waits.Task.Within("the store's wait");
        rig.Main.Abort("enough");
        Assert.That((await rig.Main.Completion.Within("the end")).Fault, Is.EqualTo(TransportFault.Aborted));
        await store.Cancelled.Task.Within("the token");
    }

    [Test]
    public async Task A_store_that_blocks_in_its_flush_is_no_silence_of_the_peer()
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.TimeProvider = clock);
        await using RawPeer rawPeer = peer;
        using var store = new BlockingStore();
        main.Start(new PacketRouter().UseStore(store));
        peer.Send(2, 2000, [0xc0]);
        Assert.That(store.Asked.Wait(WithinExtensions.Bound), Is.True, "the flush has begun");
        long start = clock.GetTimestamp();
        await AdvanceAsync(clock, () => main.Completion.IsCompleted || clock.GetElapsedTime(start) > TimeSpan.FromMinutes(5))
            .Within("five minutes");
        store.Release();
        peer.SendGoodbye(1);
        await peer.ReadUntilAsync(RawPeer.Goodbye);
        peer.Wire.Shutdown();
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(end.IsClean, Is.True, end.ToString());
    }

    [Test]
    public async Task A_side_whose_store_takes_long_after_the_peers_Goodbye_goes_on_with_its_Pings()
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.TimeProvider = clock);
        await using RawPeer rawPeer = peer;
        var store = new TestStore();
        SayGoodbye(peer, main, store);
        clock.Advance(TimeSpan.FromSeconds(5 + 1.25));
        store.Release();
        List<RawFrame> answer = await peer.ReadUntilAsync(RawPeer.Goodbye);
        Assert.That(answer[0].Type, Is.EqualTo(RawPeer.Ping), "the peer may not ask any more, so it hears nothing else");
        peer.Wire.Shutdown();
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(end.IsClean, Is.True, end.ToString());
    }

    [Test]
    public async Task A_store_that_takes_longer_than_closing_may_is_named()
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.TimeProvider = clock);
        await using RawPeer rawPeer = peer;
        var store = new TestStore();
        SayGoodbye(peer, main, store);
        Task ending = AdvanceAsync(clock, () => main.Completion.IsCompleted);
        LinkEnd end = await main.Completion.Within("the end");
        await ending;
        store.Release();
        Assert.That(end.Fault, Is.EqualTo(TransportFault.Timeout), end.ToString());
        Assert.That(end.Reason, Does.Contain("store").And.Contain("0 of 1").And.Contain("CloseTimeout"));
    }

    [Test]
    public async Task Many_packets_of_any_size_arrive_with_a_slow_store([Range(1, 3)] int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var traffic = new Traffic(seed, 3, 300, 150_000);
        var store = new TestStore { IsSlow = true };
        store.Release();
        rig.Main.Start(traffic.Router().UseStore(store));
        rig.Worker.Start(new PacketRouter());
        await traffic.SendAsync(rig.Worker).Within("sending");
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        await rig.Main.Completion.Within("the other end");
        Assert.That(end.IsClean && end.Receipt.NoLossKnown, Is.True, $"{end}, {end.Receipt}");
        Assert.That(traffic.Wrong, Is.Empty);
        Assert.That(store.Kept, Has.Count.EqualTo(900).And.All.Matches<(int Type, byte[] Body)>(k => k.Type == TestPackets.Numbered.Id));
    }

    [Test]
    public async Task Requests_and_answers_are_kept_too()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var store = new TestStore();
        store.Release();
        rig.Main.Start(new PacketRouter().UseStore(store)
            .OnRequest(TestPackets.Text, TestPackets.Text, (q, _) => Task.FromResult(q + "!")));
        rig.Worker.Start(new PacketRouter().OnRequest(TestPackets.Text, TestPackets.Text, (q, _) => Task.FromResult(q + "?")));
        Assert.That(await rig.Worker.RequestAsync(TestPackets.Text, TestPackets.Text, "a").Within("the answer"), Is.EqualTo("a!"));
        Assert.That(await rig.Main.RequestAsync(TestPackets.Text, TestPackets.Text, "b").Within("the answer"), Is.EqualTo("b?"));
        await rig.Worker.CloseAsync().Within("the close");
        Assert.That(store.Kept.Select(k => k.Type), Is.EqualTo(new[] { 272, 273 }));
    }

    private static Task AdvanceAsync(ManualClock clock, Func<bool> until) => WireReading.OnThread(() => SpinWait.SpinUntil(
        () =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(500));
            return until();
        },
        WithinExtensions.Bound));

    /// <summary>A peer that sends one packet and Goodbye, both of which the main node has read.</summary>
    private static void SayGoodbye(RawPeer peer, Link main, TestStore store)
    {
        main.Start(new PacketRouter().UseStore(store));
        peer.Send(2, 2000, [0xc0]);
        peer.SendGoodbye(1);
        Assert.That(SpinWait.SpinUntil(() => main.State() == LinkState.Draining, WithinExtensions.Bound), Is.True, "the peer's Goodbye");
    }

    /// <summary>A store that waits until the link is no more.</summary>
    private sealed class EndlessStore : IPacketStore
    {
        public bool InAppend { get; init; }

        public TaskCompletionSource<bool> Waits { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource<bool> Cancelled { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken) =>
            InAppend ? WaitAsync(cancellationToken) : default;

        public ValueTask FlushAsync(CancellationToken cancellationToken) => InAppend ? default : WaitAsync(cancellationToken);

        private async ValueTask WaitAsync(CancellationToken cancellationToken)
        {
            Waits.TrySetResult(true);
            using (cancellationToken.Register(() => Cancelled.TrySetResult(true)))
            {
                await Cancelled.Task.ConfigureAwait(false);
            }

            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>A store whose flush blocks its caller, as one does that flushes synchronously to a disk that hangs.</summary>
    private sealed class BlockingStore : IPacketStore, IDisposable
    {
        private readonly ManualResetEventSlim _free = new();

        public ManualResetEventSlim Asked { get; } = new();

        public void Release() => _free.Set();

        public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken) => default;

        public ValueTask FlushAsync(CancellationToken cancellationToken)
        {
            Asked.Set();
            _free.Wait(WithinExtensions.Bound);
            return default;
        }

        public void Dispose() => _free.Set();
    }
}
