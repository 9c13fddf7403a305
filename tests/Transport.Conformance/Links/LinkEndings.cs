using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Goodbye and Ack: who closes, when, with what queued, and what the receipt says.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkEndings(string wire)
{
    /// <summary>A new main node and an old worker: to the main node nothing but "acknowledged" was said.</summary>
    [Promise("Reports", "What a worker had no handler for, or failed to handle, stands in the main node's receipt too.")]
    [Test]
    public async Task What_the_peer_did_not_handle_is_counted_at_the_sender([Values] bool main)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(
            wire, options => options.EndOnHandlerFailure = false, options => options.EndOnHandlerFailure = false);
        (Link sender, Link receiver) = main ? (rig.Main, rig.Worker) : (rig.Worker, rig.Main);
        sender.Start(new PacketRouter());
        receiver.Start(new PacketRouter().On(TestPackets.Text, _ => throw new InvalidOperationException("no")));
        for (int i = 0; i < 5; i++)
        {
            Assert.That(sender.TrySend(NumberPacket.Type, i), Is.EqualTo(SendResult.Queued));
        }

        Assert.That(sender.TrySend(TestPackets.Text, "fails"), Is.EqualTo(SendResult.Queued));
        Assert.That(await sender.WaitForAcknowledgedAsync().Within("the Ack"), Is.True);
        Assert.That((sender.Receipt.PeerUnhandled, sender.Receipt.PeerHandlerFailures), Is.EqualTo((5L, 1L)), "known with the Ack");
        LinkEnd end = await sender.CloseAsync().Within("the close");
        Assert.That((end.IsClean, end.Receipt.PeerUnhandled, end.Receipt.PeerHandlerFailures), Is.EqualTo((true, 5L, 1L)));
        Assert.That(end.Receipt.ToString(), Does.EndWith(", unhandled by the peer 5, failed at the peer 1"));
        LinkEnd other = await receiver.Completion.Within("the other end");
        Assert.That((other.Receipt.PeerUnhandled, other.Receipt.PeerHandlerFailures), Is.EqualTo((0L, 0L)));
    }

    /// <summary>A log line that came while the link closed made a worker exit with 69.</summary>
    [Test]
    public async Task A_send_that_comes_too_late_is_reported_and_no_loss()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter().On(NumberPacket.Type, _ => { }));
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Worker.TrySend(NumberPacket.Type, 1), Is.EqualTo(SendResult.Queued));
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That(rig.Worker.TrySend(NumberPacket.Type, 2), Is.EqualTo(SendResult.Closed));
        Assert.That((end.IsClean, rig.Worker.Receipt.TooLate, rig.Worker.Receipt.NoLossKnown), Is.EqualTo((true, 1L, true)));
    }

    [Promise("Handling", "After an orderly close both sides agree on what was sent, acknowledged and dropped.")]
    [Test]
    public async Task A_close_of_either_side_ends_both_clean_with_everything_acknowledged(
        [Values("worker", "main", "both")] string who, [Range(1, 8)] int seed)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var up = new Traffic(seed, 3, 40, 20_000);
        var down = new Traffic(seed + 50, 3, 40, 20_000);
        rig.Main.Start(up.Router());
        rig.Worker.Start(down.Router());
        await Task.WhenAll(up.SendAsync(rig.Worker), down.SendAsync(rig.Main)).Within("all sends");
        Task<LinkEnd> worker = who == "main" ? rig.Worker.Completion : rig.Worker.CloseAsync("done");
        Task<LinkEnd> main = who == "worker" ? rig.Main.Completion : rig.Main.CloseAsync("done");
        foreach (LinkEnd end in await Task.WhenAll(worker, main).Within("both ends"))
        {
            Assert.That(end.IsClean, Is.True, end.ToString());
            Assert.That(end.Receipt.NoLossKnown, Is.True, end.Receipt.ToString());
            Assert.That((end.Receipt.Sent, end.Receipt.Received, end.Receipt.PeerSent), Is.EqualTo((120L, 120L, (long?)120L)));
        }

        LinkEnd reported = await (who == "main" ? rig.Worker.Completion : rig.Main.Completion);
        Assert.That(reported.Reason, Is.EqualTo("done"));
    }

    [TestCase(5_000)]
    [TestCase(200_000)]
    public async Task A_reason_of_any_length_ends_both_sides_clean(int length)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        string reason = new('\u20ac', length);
        LinkEnd[] ends = await Task.WhenAll(rig.Worker.CloseAsync(reason), rig.Main.CloseAsync(reason)).Within("both ends");
        Assert.That(ends[0].ToString(), Is.EqualTo("clean"));
        Assert.That(ends[1].ToString(), Is.EqualTo("clean"));
    }

    [Test]
    public async Task Closing_twice_and_disposing_after_the_end_give_the_same_end()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        LinkEnd[] ends = await Task.WhenAll(rig.Worker.CloseAsync(), rig.Worker.CloseAsync("again")).Within("the ends");
        Assert.That(ends[1], Is.SameAs(ends[0]));
        Assert.That(await rig.Worker.CloseAsync(), Is.SameAs(ends[0]));
        await rig.Worker.DisposeAsync();
        Assert.That(rig.Worker.State(), Is.EqualTo(LinkState.Closed));
        rig.Worker.Abort("too late");
        Assert.That((await rig.Worker.Completion).IsClean, Is.True);
        Assert.That(() => rig.Worker.Start(new PacketRouter()), Throws.InvalidOperationException);
    }

    [Test]
    public async Task Links_that_were_never_started_close_clean()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        Assert.That(rig.Worker.State(), Is.EqualTo(LinkState.Created));
        Assert.That(rig.Worker.TrySend(TestPackets.Text, "early"), Is.EqualTo(SendResult.Queued), "sending works before Start");
        LinkEnd[] ends = await Task.WhenAll(rig.Worker.CloseAsync(), rig.Main.CloseAsync()).Within("the ends");
        Assert.That(ends[0].IsClean && ends[1].IsClean, Is.True, $"{ends[0]}; {ends[1]}");
        Assert.That(ends[0].Receipt.Acknowledged, Is.EqualTo(1));
    }

    [Test]
    public async Task A_peer_that_never_answers_ends_the_close_at_its_deadline()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = 4 << 20);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        for (int i = 0; i < 50; i++)
        {
            Assert.That(main.TrySend(TestPackets.Numbered, new Numbered(0, i, new byte[60_000])), Is.EqualTo(SendResult.Queued));
        }

        LinkEnd end = await main.CloseAsync(timeout: TimeSpan.FromMilliseconds(300)).Within("the deadline");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.Timeout), end.ToString());
        Assert.That(end.Receipt.Sent + end.Receipt.Dropped, Is.EqualTo(50));
        Assert.That(end.Receipt.Dropped, Is.GreaterThan(0));
        Assert.That(end.Receipt.Acknowledged, Is.Zero);
        Assert.That(end.Reason, Does.Contain("0.3 s"));
    }

    [Test]
    public async Task A_close_that_is_cancelled_ends_the_link_at_once_and_says_what_was_sent()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Text, "left"), Is.EqualTo(SendResult.Queued));
        using var cancel = new CancellationTokenSource();
        Task<LinkEnd> closing = main.CloseAsync(timeout: Timeout.InfiniteTimeSpan, cancellationToken: cancel.Token);
        await peer.ReadUntilAsync(RawPeer.Goodbye);
        Assert.That(closing.IsCompleted, Is.False);
        cancel.Cancel();
        LinkEnd end = await closing.Within("the close");
        Assert.That((end.Fault, end.Receipt.Sent, end.Receipt.Acknowledged), Is.EqualTo((TransportFault.Aborted, 1L, 0L)), end.ToString());
        Assert.That(end.Reason, Does.StartWith("Closing was cancelled: 1 packets sent, 0 acknowledged"));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_Goodbye_of_nothing_is_answered_and_the_end_is_clean_with_or_without_an_Ack(bool ack)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        peer.SendGoodbye(0, "bye");
        List<RawFrame> answer = await peer.ReadUntilAsync(RawPeer.Goodbye);
        Assert.That(answer[answer.Count - 1].Map["packets"], Is.Zero);
        if (ack)
        {
            peer.Send(0, RawPeer.Ack, Bodies.Map(("packets", 0)));
        }

        peer.Wire.Shutdown();
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(end.IsClean, Is.True, end.ToString());
        Assert.That(end.Reason, Is.EqualTo("bye"));
    }

    [Test]
    public async Task An_abort_among_traffic_is_aborted_here_and_peer_gone_there()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var traffic = new Traffic(1, 4, 4_000, 3_000);
        var some = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        int came = 0;
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (packet, _) =>
        {
            if (++came == 100)
            {
                some.TrySetResult(true);
            }
        }));
        rig.Worker.Start(new PacketRouter());
        Task sending = traffic.SendAsync(rig.Worker);
        await some.Task.Within("some packets");
        rig.Worker.Abort("enough");
        LinkEnd worker = await rig.Worker.Completion.Within("the worker's end");
        LinkEnd main = await rig.Main.Completion.Within("the main node's end");
        await sending.Within("the senders");
        Assert.That((worker.Fault, worker.Reason), Is.EqualTo((TransportFault.Aborted, "enough")));
        Assert.That(main.Fault, Is.EqualTo(TransportFault.PeerGone), main.ToString());
        Assert.That(worker.Receipt.Sent + worker.Receipt.Dropped, Is.EqualTo(traffic.Queued));
        Assert.That(main.Receipt.PeerSent, Is.Null);
        Assert.That(rig.Worker.TrySend(TestPackets.Text, "late"), Is.EqualTo(SendResult.Closed));
    }

    [Test]
    public async Task Nothing_reaches_a_handler_after_the_link_has_ended()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var first = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var gate = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        int handled = 0;
        rig.Main.Start(new PacketRouter().On(TestPackets.Text, async (_, _) =>
        {
            Interlocked.Increment(ref handled);
            first.TrySetResult(true);
            await gate.Task;
        }));
        rig.Worker.Start(new PacketRouter());
        for (int i = 0; i < 100; i++)
        {
            _ = rig.Worker.TrySend(TestPackets.Text, "again");
        }

        await first.Task.Within("the first packet");
        rig.Main.Abort("now");
        LinkEnd end = await rig.Main.Completion.Within("the end, although a handler does not return");
        gate.SetResult(true);
        Assert.That(SpinWait.SpinUntil(() => rig.MainPool.Held == 0, WithinExtensions.Bound), Is.True, "the loop gave its window back");
        Assert.That(handled, Is.EqualTo(1));
        Assert.That(end.Receipt.Handled, Is.Zero);
    }
}
