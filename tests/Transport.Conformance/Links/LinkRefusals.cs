using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Refused packets in Goodbye and in both receipts, and what Goodbye says about a fault.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class LinkRefusals(string wire)
{
    private const int Budget = 64 << 10;

    private static readonly Numbered Large = new(0, 0, new byte[Budget / 2]);

    [Test]
    public async Task Goodbye_reports_how_many_packets_were_refused_and_waiting_sends_count_by_their_final_answer()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = Budget);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        long refused = Fill(main);
        Assert.That(main.TrySend(TestPackets.Numbered, Large), Is.EqualTo(SendResult.Full));
        Assert.That(main.TrySendRaw(1024, new byte[Budget]), Is.EqualTo(SendResult.Full));
        Assert.That(main.Send(TestPackets.Numbered, Large, TimeSpan.Zero), Is.EqualTo(SendResult.Full));
        Assert.That(main.TrySend(TestPackets.Numbered, Large, policy: LanePolicy.Drop), Is.EqualTo(SendResult.Full));
        using var cancel = new CancellationTokenSource();
        Task<SendResult> cancelled = main.SendAsync(TestPackets.Numbered, Large, cancellationToken: cancel.Token).AsTask();
        cancel.Cancel();
        Assert.That(async () => await cancelled.Within("the cancelled wait"), Throws.InstanceOf<OperationCanceledException>());
        Task<SendResult> waiting = main.SendAsync(TestPackets.Numbered, Large).AsTask();
        Assert.That(waiting.IsCompleted, Is.False);
        Task<List<RawFrame>> reading = peer.ReadUntilAsync(RawPeer.Goodbye);
        Assert.That(await waiting.Within("capacity"), Is.EqualTo(SendResult.Queued));
        Task<LinkEnd> closing = main.CloseAsync();
        RawFrame goodbye = (await reading.Within("Goodbye")).Last();
        Answer(peer, goodbye);
        LinkReceipt receipt = (await closing.Within("the close")).Receipt;
        Assert.That((goodbye.Map["refused"], receipt.Refused, receipt.Dropped, receipt.NoLossKnown),
            Is.EqualTo(((object)(refused + 3), refused + 3, 1L, false)));
    }

    [Test]
    public async Task Goodbye_without_refusals_and_faults_has_the_keys_of_old_and_no_more()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        Assert.That(main.TrySend(TestPackets.Text, "sent"), Is.EqualTo(SendResult.Queued));
        Task<LinkEnd> closing = main.CloseAsync("done");
        RawFrame goodbye = (await peer.ReadUntilAsync(RawPeer.Goodbye)).Last();
        Answer(peer, goodbye);
        Assert.That(goodbye.Body, Is.EqualTo(Bodies.Map(("packets", 1), ("reason", "done"))));
        LinkReceipt receipt = (await closing.Within("the close")).Receipt;
        Assert.That((receipt.NoLossKnown, receipt.PeerRefused), Is.EqualTo((true, 0L)), "and a peer's of old is read as before");
    }

    [TestCase(7L, 7)]
    [TestCase(null, 0)]
    public async Task The_peers_refusals_and_keys_of_later_versions_are_read(long? refused, int expected)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        peer.Send(0, RawPeer.Goodbye,
            Bodies.Map(("later", new object?[] { 1, "x" }), ("refused", refused), ("packets", 0), ("reason", "bye"), ("detail", null)));
        await peer.ReadUntilAsync(RawPeer.Goodbye);
        peer.Wire.Shutdown();
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That((end.IsClean, end.Reason, end.Receipt.PeerRefused, end.Receipt.NoLossKnown),
            Is.EqualTo((true, "bye", (long)expected, true)), "whether its callers sent again is not known: no loss");
    }

    /// <summary>A refusal that Goodbye could no longer report of would be lost without a word.</summary>
    [Test]
    public async Task Sends_that_race_with_the_close_are_in_Goodbye_or_answered_Closed([Range(1, 5)] int round)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: o => o.MaxQueuedBytes = Budget);
        long refused = Fill(rig.Worker), seen = 0;
        rig.Worker.Start(new PacketRouter());
        Task[] senders = [.. Enumerable.Range(0, 3).Select(_ => WireReading.OnThread(() =>
        {
            SendResult result;
            while ((result = rig.Worker.TrySend(TestPackets.Numbered, Large)) != SendResult.Closed)
            {
                Interlocked.Add(ref refused, result == SendResult.Full ? 1 : 0);
                Interlocked.Increment(ref seen);
            }
        }))];
        Assert.That(SpinWait.SpinUntil(() => Interlocked.Read(ref seen) > 100 * round, WithinExtensions.Bound), Is.True);
        Task<LinkEnd> closing = rig.Worker.CloseAsync();
        rig.Main.Start(new PacketRouter());
        LinkEnd own = await closing.Within("the close"), other = await rig.Main.Completion.Within("the other end");
        await Task.WhenAll(senders).Within("the senders");
        Assert.That((own.Receipt.Refused, other.Receipt.PeerRefused), Is.EqualTo((refused, refused)));
    }

    [Test]
    public async Task A_faults_detail_from_the_peer_is_shown_escaped_and_cut()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        string detail = "byte 7: \u001b[2Jexpected\r\n\u009b \u202e" + new string('x', 2_000);
        peer.Send(0, RawPeer.Goodbye, Bodies.Map(("packets", 0), ("reason", "PacketMalformed"), ("detail", detail)));
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.PacketMalformed));
        Assert.That(end.Reason, Does.Contain(@"PacketMalformed: byte 7: \u001b[2Jexpected\u000d\u000a\u009b \u202exxx")
            .And.EndsWith("xxx").And.Contain(" characters cut) …").And.Length.LessThan(1_200));
    }

    [Test]
    public async Task A_reason_from_the_peer_is_shown_escaped_and_cut()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        peer.SendGoodbye(0, "bye \u001b[31m" + new string('x', 60_000));
        await peer.ReadUntilAsync(RawPeer.Goodbye);
        peer.Wire.Shutdown();
        LinkEnd end = await main.Completion.Within("the end");
        Assert.That(end.IsClean, Is.True, end.ToString());
        Assert.That(end.Reason, Does.StartWith(@"bye \u001b[31mxxx").And.Length.LessThan(1_100));
    }

    /// <summary>A detail that ends in half a surrogate pair would be no UTF-8.</summary>
    [Test]
    public async Task A_detail_that_is_sent_is_cut_between_characters()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        string message = string.Concat(Enumerable.Repeat("\ud83d\ude00", 900));
        rig.Main.Start(new PacketRouter()
            .On(TestPackets.Text, (Action<string>)(odd => throw new InvalidOperationException(odd + message))));
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Worker.TrySend(TestPackets.Text, wire == WireKinds.Memory ? "x" : "xy"), Is.EqualTo(SendResult.Queued));
        LinkEnd end = await rig.Worker.Completion.Within("the end");
        Assert.That((end.Fault, end.Reason.Contains("InvalidOperationException"), end.Reason.Contains('\ufffd')),
            Is.EqualTo((TransportFault.HandlerFailed, true, false)), end.Reason);
    }

    /// <summary>Sends until there is no capacity and nothing moves.</summary>
    /// <returns>How many packets were refused.</returns>
    private static long Fill(Link link)
    {
        long refused = 0;
        while (true)
        {
            refused += link.Send(
                TestPackets.Numbered, new Numbered(0, 0, new byte[8_000]), TimeSpan.FromMilliseconds(100)) == SendResult.Full ? 1 : 0;
            if (refused == 3)
            {
                return refused;
            }
        }
    }

    private static void Answer(RawPeer peer, RawFrame goodbye)
    {
        peer.Send(0, RawPeer.Ack, Bodies.Map(("packets", goodbye.Map["packets"])));
        peer.SendGoodbye(0);
        peer.Wire.Shutdown();
    }
}
