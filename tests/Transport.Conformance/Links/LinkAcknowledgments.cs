using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Who waits until the peer has acknowledged what was queued.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkAcknowledgments(string wire)
{
    [Promise("Journal", "WaitForAcknowledgedAsync completes only after the peer's store has flushed what was queued before.")]
    [Test]
    public async Task A_wait_is_over_once_the_peer_has_flushed_what_was_queued_before()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var store = new TestStore();
        rig.Main.Start(new PacketRouter().UseStore(store));
        rig.Worker.Start(new PacketRouter());
        for (int i = 0; i < 3; i++)
        {
            Assert.That(rig.Worker.TrySend(TestPackets.Text, "text"), Is.EqualTo(SendResult.Queued));
        }

        Task<bool> waiting = rig.Worker.WaitForAcknowledgedAsync();
        Assert.That(SpinWait.SpinUntil(() => store.Asked > 0, WithinExtensions.Bound), Is.True, "the store is asked");
        Assert.That((waiting.IsCompleted, rig.Worker.Receipt.Acknowledged), Is.EqualTo((false, 0L)));
        store.Release();
        Assert.That(await waiting.Within("the Ack"), Is.True);
        Assert.That(rig.Worker.Receipt.Acknowledged, Is.EqualTo(3));
        Assert.That(await rig.Worker.WaitForAcknowledgedAsync().Within("what is so already"), Is.True);
    }

    [Test]
    public async Task Nothing_queued_is_nothing_to_wait_for()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        Task<bool> waiting = rig.Worker.WaitForAcknowledgedAsync();
        Assert.That(waiting.IsCompleted && await waiting, Is.True);
    }

    [Test]
    public async Task The_peer_is_asked_behind_the_packets_and_not_waited_for_with_what_comes_later()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Text, "first"), Is.EqualTo(SendResult.Queued));
        Task<bool> waiting = main.WaitForAcknowledgedAsync();
        List<RawFrame> read = await peer.ReadUntilAsync(RawPeer.AckNow);
        Assert.That(read.Select(f => f.Type), Is.EqualTo(new[] { 1025, RawPeer.AckNow }));
        Assert.That(main.TrySend(TestPackets.Text, "second"), Is.EqualTo(SendResult.Queued));
        Assert.That(waiting.IsCompleted, Is.False);
        peer.Send(0, RawPeer.Ack, Bodies.Map(("packets", 1)));
        Assert.That(await waiting.Within("the Ack"), Is.True);
    }

    [Test]
    public async Task An_AckNow_is_answered_by_the_Ack_of_what_came_before_it()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        for (int i = 1; i <= 100; i++)
        {
            byte[] ask = RawFrame.Bytes(0, RawPeer.AckNow, Bodies.Map());
            peer.SendBytes([.. RawFrame.Bytes(2, 2000, [0xc0]), .. ask, .. ask, .. RawFrame.Bytes(0, RawPeer.Ping, Bodies.Map(("id", i)))]);
            List<RawFrame> answer = await peer.ReadUntilAsync(RawPeer.Pong);
            Assert.That(answer.Select(f => f.Type), Is.EqualTo(new[] { RawPeer.Ack, RawPeer.Pong }), "once, and before what came later");
            Assert.That(answer[0].Map["packets"], Is.EqualTo((long)i));
        }
    }

    [Test]
    public async Task A_link_that_ends_first_says_that_it_is_not_known()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter().UseStore(new TestStore()));
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Worker.TrySend(TestPackets.Text, "text"), Is.EqualTo(SendResult.Queued));
        Task<bool> waiting = rig.Worker.WaitForAcknowledgedAsync();
        rig.Worker.Abort("enough");
        Assert.That(await waiting.Within("the link's end"), Is.False);
        Assert.That(await rig.Worker.WaitForAcknowledgedAsync().Within("of a link that has ended"), Is.False);
    }

    [Test]
    public async Task A_link_that_has_closed_cleanly_says_that_everything_is_acknowledged()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Worker.TrySend(TestPackets.Text, "text"), Is.EqualTo(SendResult.Queued));
        await rig.Worker.CloseAsync().Within("the close");
        Assert.That(await rig.Worker.WaitForAcknowledgedAsync().Within("the answer"), Is.True);
    }

    [Test]
    public async Task A_wait_can_be_given_up_and_the_link_goes_on([Values] bool before)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var store = new TestStore();
        rig.Main.Start(new PacketRouter().UseStore(store));
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Worker.TrySend(TestPackets.Text, "text"), Is.EqualTo(SendResult.Queued));
        using var cancel = new CancellationTokenSource();
        if (before)
        {
            cancel.Cancel();
        }

        Task<bool> waiting = rig.Worker.WaitForAcknowledgedAsync(cancel.Token);
        cancel.Cancel();
        Assert.That(async () => await waiting.Within("the cancel"), Throws.InstanceOf<OperationCanceledException>());
        store.Release();
        Assert.That(await rig.Worker.WaitForAcknowledgedAsync().Within("the Ack"), Is.True);
    }

    [Test]
    public async Task Many_callers_wait_at_once_and_each_for_its_own([Values(1, 8)] int callers)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var handled = new ConcurrentDictionary<string, bool>();
        rig.Main.Start(new PacketRouter().On(TestPackets.Text, (text, _) => handled[text] = true));
        rig.Worker.Start(new PacketRouter());
        await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(async () =>
        {
            for (int i = 0; i < 200; i++)
            {
                Lane lane = (Lane)(1 + ((i + caller) % 3));
                Assert.That(rig.Worker.TrySend(TestPackets.Text, $"{caller} {i}", lane), Is.EqualTo(SendResult.Queued));
                Assert.That(await rig.Worker.WaitForAcknowledgedAsync().Within("the Ack"), Is.True);
                Assert.That(handled.ContainsKey($"{caller} {i}"), Is.True, "what is acknowledged is handled");
            }
        })));
    }
}
