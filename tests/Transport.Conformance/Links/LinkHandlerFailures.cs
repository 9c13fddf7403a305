using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Handlers that throw, if the link is to go on (<see cref="LinkOptions.EndOnHandlerFailure"/> is off), and handlers of
/// requests.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class LinkHandlerFailures(string wire)
{
    [Promise("Handling", "With `EndOnHandlerFailure` off, a throwing handler is reported and counted, and the link goes on.")]
    [Test]
    public async Task Handlers_that_throw_are_reported_and_counted_and_the_link_goes_on([Values("at once", "later", "as bytes")] string how)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, main: o => o.EndOnHandlerFailure = false);
        var failed = new List<(object? Sender, HandlerFailedEventArgs Failed)>();
        var came = new List<string>();
        PacketRouter router = how switch
        {
            "at once" => new PacketRouter().On(TestPackets.Text, (text, _) => Take(text, came)),
            "later" => new PacketRouter().On(TestPackets.Text, async (text, _) =>
            {
                await Task.Yield();
                Take(text, came);
            }),
            _ => new PacketRouter().OnRaw(TestPackets.Text.Id, packet => Take(packet.Read(TestPackets.Text), came)),
        };
        router.HandlerFailed += (sender, e) => failed.Add((sender, e));
        rig.Main.Start(router);
        rig.Worker.Start(new PacketRouter());
        foreach (string text in new[] { "1", "throw", "2", "throw", "3" })
        {
            Assert.That(await rig.Worker.SendAsync(TestPackets.Text, text), Is.EqualTo(SendResult.Queued));
        }

        LinkEnd end = await rig.Worker.CloseAsync().Within("the close"), other = await rig.Main.Completion.Within("the other end");
        Assert.Multiple(() =>
        {
            Assert.That((end.IsClean, end.Receipt.Acknowledged, end.Receipt.NoLossKnown), Is.EqualTo((true, 5L, true)),
                "a packet whose handler threw is handled");
            Assert.That((other.IsClean, other.Receipt.Received, other.Receipt.HandlerFailures), Is.EqualTo((true, 5L, 2L)));
            Assert.That(came, Is.EqualTo(new[] { "1", "2", "3" }));
            Assert.That(failed.Select(f => (f.Sender, f.Failed.Peer, f.Failed.Type, f.Failed.IsRequest, f.Failed.Exception.Message)),
                Is.All.EqualTo(((object)router, rig.Main.PeerName, TestPackets.Text.Id, false, "as asked")));
            Assert.That(failed, Has.Count.EqualTo(2));
            Assert.That(failed[0].Failed.ToString(), Does.Contain("1025").And.Contain("System.IO.IOException: as asked"));
        });
    }

    [Test]
    public async Task A_packet_that_cannot_be_read_ends_the_link_all_the_same()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.EndOnHandlerFailure = false);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter().On(TestPackets.Text, (_, _) => { }));
        peer.Send(2, TestPackets.Text.Id, [0xc0]);
        Assert.That((await main.Completion.Within("the end")).Fault, Is.EqualTo(TransportFault.PacketMalformed));
    }

    [Test]
    public async Task A_subscriber_that_throws_does_not_end_the_link()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, main: o => o.EndOnHandlerFailure = false);
        PacketRouter router = new PacketRouter().On(TestPackets.Text, (text, _) => Take(text, []));
        router.HandlerFailed += (_, _) => throw new InvalidOperationException("worse");
        rig.Main.Start(router);
        rig.Worker.Start(new PacketRouter());
        Assert.That(await rig.Worker.SendAsync(TestPackets.Text, "throw"), Is.EqualTo(SendResult.Queued));
        Assert.That((await rig.Worker.CloseAsync().Within("the close")).Receipt.NoLossKnown, Is.True);
        Assert.That((await rig.Main.Completion.Within("the other end")).Receipt.HandlerFailures, Is.EqualTo(1));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_request_handlers_exception_travels_with_type_and_message_and_is_reported_at_the_worker(bool choice)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: o => o.EndOnHandlerFailure = choice);
        var reported = new TaskCompletionSource<HandlerFailedEventArgs>(TaskCreationOptions.RunContinuationsAsynchronously);
        PacketRouter router = new PacketRouter().OnRequest<string, string>(
            TestPackets.Text, TestPackets.Text, (question, _) => throw new IOException("no space\u001b[2J for " + question));
        router.HandlerFailed += (_, e) => reported.TrySetResult(e);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(router);
        TransportException? asked = await Assert.ThrowsAsync<TransportException>(() =>
            rig.Main.RequestAsync(TestPackets.Text, TestPackets.Text, "x").Within("the answer"));
        Assert.That((asked!.Fault, asked.Message),
            Is.EqualTo((TransportFault.RequestFailed, @"The peer responded: System.IO.IOException: no space\u001b[2J for x")));
        HandlerFailedEventArgs failed = await reported.Task.Within("the report");
        Assert.That((failed.Type, failed.IsRequest, failed.Exception.GetType()),
            Is.EqualTo((TestPackets.Text.Id, true, typeof(IOException))));
        Assert.That(rig.Worker.Receipt.HandlerFailures, Is.Zero, "a request is not one of the packets whose handlers are counted");
    }

    private static void Take(string text, List<string> came)
    {
        if (text == "throw")
        {
            throw new IOException("as asked");
        }

        came.Add(text);
    }
}
