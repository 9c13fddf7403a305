using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Conformance.Wires;
using Transport.Testing.Buffers;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;
using static Transport.Conformance.Links.LoopKit;

namespace Transport.Conformance.Links;

/// <summary>Packets that a loop of the program reads (<c>PacketRouter.ReadAllAsync</c>).</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkLoops(string wire)
{
    [Test]
    public async Task A_packet_is_acknowledged_when_the_loop_takes_the_next_one()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var router = new PacketRouter().On(TestPackets.Numbered, static (_, _) => { });
        await using IAsyncEnumerator<(string Packet, PacketContext Context)> loop = Loop(router);
        Start(rig, router);
        _ = rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, 0, []));
        _ = rig.Worker.TrySend(TestPackets.Text, "one");
        _ = rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, 1, []));
        _ = rig.Worker.TrySend(TestPackets.Text, "two");
        await NextAsync(loop, "one");
        Assert.That(SpinWait.SpinUntil(() => rig.Worker.Receipt.Acknowledged == 1, WithinExtensions.Bound), Is.True, "before the first");
        Task<bool> all = rig.Worker.WaitForAcknowledgedAsync();
        await NextAsync(loop, "two");
        Assert.That((rig.Main.Receipt.Handled, all.IsCompleted), Is.EqualTo((3, false)));
        Task<bool> more = loop.MoveNextAsync().AsTask();
        Assert.That(await all.Within("the Ack"), Is.True);
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That(await more.Within("the loop's end"), Is.False);
        Assert.That((end.IsClean, end.Receipt.Acknowledged, rig.Main.Receipt.Handled), Is.EqualTo((true, 4, 4)), end.ToString());
    }

    [Test]
    public async Task A_full_loop_holds_up_its_link_and_loses_nothing([Values(1, 7, 256)] int capacity)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var router = new PacketRouter();
        IAsyncEnumerable<(Numbered Packet, PacketContext Context)> packets =
            router.ReadAllWithContextAsync(TestPackets.Numbered, capacity);
        Start(rig, router);
        for (int i = 0; i < 2000; i++)
        {
            _ = await rig.Worker.SendAsync(TestPackets.Numbered, new Numbered(0, i, []));
        }

        Assert.That(SpinWait.SpinUntil(() => rig.Main.Receipt.Received == capacity + 1, WithinExtensions.Bound), Is.True,
            "those that it holds, and one that waits");
        Task<LinkEnd> closing = rig.Worker.CloseAsync();
        var came = new List<long>();
        await foreach ((Numbered packet, PacketContext context) in packets)
        {
            Assert.That(context.Node, Is.EqualTo("w1"));
            came.Add(packet.Number);
        }

        Assert.That(came, Is.EqualTo(Enumerable.Range(0, 2000)));
        LinkEnd end = await closing.Within("the close");
        Assert.That((end.IsClean, end.Receipt.Acknowledged), Is.EqualTo((true, 2000)), end.ToString());
    }

    [Test]
    public async Task One_loop_reads_all_links_and_ends_when_the_last_of_them_has()
    {
        await using LinkRig one = await LinkRig.OpenAsync(wire);
        await using LinkRig two = await LinkRig.OpenAsync(wire);
        var router = new PacketRouter();
        await using IAsyncEnumerator<(string Packet, PacketContext Context)> loop = Loop(router);
        Start(one, router);
        Start(two, router);
        _ = one.Worker.TrySend(TestPackets.Text, "one");
        await NextAsync(loop, "one");
        Task<bool> next = loop.MoveNextAsync().AsTask();
        Assert.That((await one.Worker.CloseAsync().Within("the close")).IsClean, Is.True);
        Assert.That(next.IsCompleted, Is.False, "the other link may bring more");
        _ = two.Worker.TrySend(TestPackets.Text, "two");
        Assert.That((await next.Within("a packet"), loop.Current.Packet), Is.EqualTo((true, "two")));
        next = loop.MoveNextAsync().AsTask();
        Assert.That((await two.Worker.CloseAsync().Within("the close")).IsClean, Is.True);
        Assert.That(await next.Within("the loop's end"), Is.False);
        await using LinkRig late = await LinkRig.OpenAsync(wire);
        Assert.That(() => late.Main.Start(router), Throws.InvalidOperationException.With.Message.Contains("nobody would read"));
        late.Worker.Abort("not started");
        late.Main.Abort("not started");
    }

    [Test]
    public async Task What_comes_after_a_loop_was_left_is_unhandled_at_both_ends([Values("break", "throw", "cancel")] string way)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var router = new PacketRouter();
        using var cancel = new CancellationTokenSource();
        IAsyncEnumerable<(string Packet, PacketContext Context)> packets =
            router.ReadAllWithContextAsync(TestPackets.Text, 3, cancel.Token);
        Start(rig, router);
        for (int i = 0; i < 10; i++)
        {
            _ = rig.Worker.TrySend(TestPackets.Text, $"{i}");
        }

        Assert.That(SpinWait.SpinUntil(() => rig.Main.Receipt.Received == 4, WithinExtensions.Bound), Is.True, "one waits for the loop");
        async Task ReadAsync()
        {
            await foreach ((string packet, _) in packets)
            {
                if (packet == "1" && way == "break")
                {
                    break;
                }
                else if (packet == "1" && way == "throw")
                {
                    throw new FormatException(packet);
                }
                else if (packet == "1")
                {
                    cancel.Cancel();
                }
            }
        }

        Task reading = ReadAsync();
        _ = await Task.WhenAny(reading).Within("the loop");
        Assert.That(reading.Status, Is.EqualTo(
            way == "break" ? TaskStatus.RanToCompletion : way == "throw" ? TaskStatus.Faulted : TaskStatus.Canceled));
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That((end.IsClean, end.Receipt.Acknowledged, end.Receipt.PeerUnhandled), Is.EqualTo((true, 10, 8)), end.ToString());
        Assert.That((rig.Main.Receipt.Handled, rig.Main.Receipt.Unhandled), Is.EqualTo((2, 8)));
    }

    [Test]
    public async Task A_loops_body_may_await_a_request_of_its_own_link()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var router = new PacketRouter();
        IAsyncEnumerable<(string Packet, PacketContext Context)> packets = router.ReadAllWithContextAsync(TestPackets.Text);
        rig.Main.Start(router);
        rig.Worker.Start(new PacketRouter().OnRequest(TestPackets.Text, TestPackets.Text, static (what, _) => Task.FromResult(what + "!")));
        for (int i = 0; i < 100; i++)
        {
            _ = rig.Worker.TrySend(TestPackets.Text, $"{i}");
        }

        Task<LinkEnd>? closing = null;
        var answers = new List<string>();
        await foreach ((string packet, PacketContext context) in packets)
        {
            answers.Add(await ((Link)context.Sender).RequestAsync(TestPackets.Text, TestPackets.Text, packet).Within("the response"));
            closing = packet == "99" ? rig.Worker.CloseAsync() : closing;
        }

        Assert.That(answers, Is.EqualTo(Enumerable.Range(0, 100).Select(static i => $"{i}!")));
        Assert.That((await closing!.Within("the close")).IsClean, Is.True);
    }

    /// <summary>The response cannot come any more, and the link's end waits for the loop: so the request ends first.</summary>
    [Test]
    public async Task A_request_of_a_loops_body_ends_with_the_peer_and_the_link_waits_for_the_rest_of_the_loop()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var router = new PacketRouter();
        IAsyncEnumerable<(string Packet, PacketContext Context)> packets = router.ReadAllWithContextAsync(TestPackets.Text);
        rig.Main.Start(router);
        var asked = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Worker.Start(new PacketRouter().OnRequest(TestPackets.Text, TestPackets.Text, async (what, context) =>
        {
            asked.TrySetResult(true);
            await Task.Delay(Timeout.Infinite, context.CancellationToken);
            return what;
        }));
        for (int i = 0; i < 100; i++)
        {
            _ = rig.Worker.TrySend(TestPackets.Text, $"{i}");
        }

        Assert.That(SpinWait.SpinUntil(() => rig.Main.Receipt.Received == 100, WithinExtensions.Bound), Is.True, "all have come");
        var came = new List<string>();
        TransportFault? fault = null;
        async Task ReadAsync()
        {
            await foreach ((string packet, PacketContext context) in packets)
            {
                Assert.That(rig.Main.Completion.IsCompleted, Is.False, "before the last is read");
                came.Add(packet);
                if (packet == "10")
                {
                    Task<string> asking = ((Link)context.Sender).RequestAsync(TestPackets.Text, TestPackets.Text, packet);
                    await asked.Task.Within("the request");
                    rig.Worker.Abort("a crash");
                    _ = await Task.WhenAny(asking).Within("the request's end");
                    fault = (asking.Exception?.InnerException as TransportException)?.Fault;
                }
            }
        }

        await ReadAsync().Within("the loop");
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That(fault, Is.EqualTo(TransportFault.PeerGone));
        Assert.That(came, Is.EqualTo(Enumerable.Range(0, 100).Select(static i => $"{i}")));
        Assert.That(
            (end.Fault, end.Receipt.Received, end.Receipt.Handled), Is.EqualTo((TransportFault.PeerGone, 100, 100)), end.ToString());
    }

    [Test]
    public async Task With_a_store_a_packet_is_acknowledged_when_it_is_read_and_flushed()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var store = new TestStore();
        PacketRouter router = new PacketRouter().UseStore(store);
        await using IAsyncEnumerator<(string Packet, PacketContext Context)> loop = Loop(router);
        Start(rig, router);
        _ = rig.Worker.TrySend(TestPackets.Text, "one");
        await NextAsync(loop, "one");
        Task<LinkEnd> closing = rig.Worker.CloseAsync();
        store.Release();
        Assert.That(SpinWait.SpinUntil(() => rig.Main.Receipt.PeerSent == 1, WithinExtensions.Bound), Is.True, "its Goodbye");
        Assert.That((closing.IsCompleted, rig.Worker.Receipt.Acknowledged), Is.EqualTo((false, 0)));
        Task<bool> more = loop.MoveNextAsync().AsTask();
        Assert.That((await closing.Within("the close")).IsClean, Is.True);
        Assert.That((await more.Within("the loop's end"), store.Kept.Count), Is.EqualTo((false, 1)));
    }

    /// <summary>What came before a fault is not less valid: handlers have had it by then.</summary>
    [Test]
    public async Task A_link_that_ends_with_a_fault_waits_for_its_loop([Values("malformed", "goodbye", "handler")] string how)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        PacketRouter router = new PacketRouter().On(TestPackets.Numbered, static (_, _) => throw new FormatException("no"));
        await using IAsyncEnumerator<(string Packet, PacketContext Context)> loop = Loop(router);
        main.Start(router);
        byte[] text = [0xa1, (byte)'x'];
        for (int i = 0; i < 20; i++)
        {
            peer.Send(2, (ushort)TestPackets.Text.Id, text);
        }

        if (how == "goodbye")
        {
            peer.Send(0, RawPeer.Goodbye, Bodies.Map(("packets", 20), ("reason", "HandlerFailed")));
        }
        else
        {
            peer.Send(2, (ushort)(how == "malformed" ? TestPackets.Text.Id : TestPackets.Numbered.Id),
                how == "malformed" ? [0xa9, (byte)'x'] : [0x93, 0, 0, 0xc4, 0]);
            await peer.ReadUntilAsync(RawPeer.Goodbye);   // the peer hears of it at once
        }

        for (int i = 0; i < 20; i++)
        {
            await NextAsync(loop, "x");
            Assert.That(main.Completion.IsCompleted, Is.False, "before the last is read");
        }

        Assert.That(await loop.MoveNextAsync().AsTask().Within("the loop's end"), Is.False);
        LinkEnd end = await main.Completion.Within("the end");
        TransportFault fault = how == "malformed" ? TransportFault.PacketMalformed : TransportFault.HandlerFailed;
        Assert.That(end.Fault, Is.EqualTo(fault), end.ToString());
        Assert.That(end.Receipt.Handled, Is.EqualTo(20), end.ToString());
    }

    [Test]
    public async Task A_loop_that_has_not_begun_hides_no_fault_and_is_waited_for_as_long_as_a_handler()
    {
        var clock = new ManualClock();
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.TimeProvider = clock);
        PacketRouter router = new PacketRouter().On(TestPackets.Numbered, static (_, _) => throw new FormatException("no"));
        await using IAsyncEnumerator<(string Packet, PacketContext Context)> loop = Loop(router);
        Start(rig, router);
        _ = rig.Worker.TrySend(TestPackets.Text, "one");
        _ = rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, 0, []));
        LinkEnd far = await rig.Worker.Completion.Within("the other end");
        Assert.That(far.Fault, Is.EqualTo(TransportFault.HandlerFailed));
        Assert.That((rig.Main.IsOpen, rig.Main.Completion.IsCompleted), Is.EqualTo((false, false)), "it waits for its loop");
        Assert.That(
            SpinWait.SpinUntil(
                () =>
                {
                    clock.Advance(TimeSpan.FromSeconds(1));
                    return rig.Main.Completion.IsCompleted;
                },
                WithinExtensions.Bound),
            Is.True, "not for ever");
        LinkEnd end = await rig.Main.Completion;
        Assert.That(
            (end.Fault, end.Receipt.Received, end.Receipt.Handled), Is.EqualTo((TransportFault.HandlerFailed, 2, 0)), end.ToString());
        Assert.That(await loop.MoveNextAsync().AsTask().Within("the loop's end"), Is.False);
    }

    [Test]
    public async Task A_close_that_a_loop_holds_up_says_so()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.CloseTimeout = TimeSpan.FromMilliseconds(300));
        var router = new PacketRouter();
        await using IAsyncEnumerator<(string Packet, PacketContext Context)> loop = Loop(router);
        Start(rig, router);
        _ = rig.Worker.TrySend(TestPackets.Text, "one");
        _ = rig.Worker.TrySend(TestPackets.Text, "two");
        await NextAsync(loop, "one");
        _ = rig.Worker.CloseAsync();
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That(end.ToString(), Does.Contain("Timeout").And.Contain("loop over Text (1025)").And.Contain("0 of 2 packets"));
        Assert.That((end.Receipt.Received, end.Receipt.Handled, end.Receipt.Unhandled), Is.EqualTo((2, 0, 0)));
        Assert.That(await loop.MoveNextAsync().AsTask().Within("the loop's end"), Is.False, "what counts as lost is not read");
        Assert.That(rig.Main.Receipt.Handled, Is.Zero);
    }

    [Test]
    public async Task A_loop_is_asked_for_before_the_router_is_given_away_and_read_once()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var router = new PacketRouter();
        Assert.That(() => router.ReadAllWithContextAsync(TestPackets.Text, 0), Throws.InstanceOf<ArgumentOutOfRangeException>());
        IAsyncEnumerable<(string Packet, PacketContext Context)> packets = router.ReadAllWithContextAsync(TestPackets.Text);
        Assert.That(() => router.ReadAllWithContextAsync(TestPackets.Text), Throws.ArgumentException, "a type has one handler or loop");
        Assert.That(() => router.On(TestPackets.Text, static (_, _) => { }), Throws.ArgumentException);
        Start(rig, router);
        Assert.That(() => router.ReadAllWithContextAsync(TestPackets.Numbered),
            Throws.InvalidOperationException.With.Message.Contains("ReadAllAsync"));
        await using IAsyncEnumerator<(string Packet, PacketContext Context)> first = packets.GetAsyncEnumerator();
        Task<bool> next = first.MoveNextAsync().AsTask();
        await using IAsyncEnumerator<(string Packet, PacketContext Context)> second = packets.GetAsyncEnumerator();
        Assert.That(async () => await second.MoveNextAsync(), Throws.InvalidOperationException.With.Message.Contains("another loop"));
        _ = rig.Worker.CloseAsync();
        Assert.That(await next.Within("the loop's end"), Is.False);
    }
}
