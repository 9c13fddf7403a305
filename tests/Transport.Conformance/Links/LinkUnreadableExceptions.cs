using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>An exception of a caller's code whose message cannot be read costs no more than any other.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class LinkUnreadableExceptions(string wire)
{
    private static readonly PacketType<string> Unreadable = new(1027, "Unreadable", new UnreadableFormatter());

    [Test]
    public async Task A_handlers_unreadable_exception_ends_the_link(
        [Values("at once", "later", "as bytes", "formatter", "store")] string how)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Main.Start(Throwing(how));
        rig.Worker.Start(new PacketRouter());
        PacketType<string> type = how == "formatter" ? Unreadable : TestPackets.Text;
        Assert.That(await rig.Worker.SendAsync(type, "x"), Is.EqualTo(SendResult.Queued));
        LinkEnd end = await rig.Main.Completion.Within("the end"), other = await rig.Worker.Completion.Within("the other end");
        Assert.That((end.Fault, other.Fault), Is.EqualTo((TransportFault.HandlerFailed, TransportFault.HandlerFailed)));
        Assert.That(end.Reason, Does.Contain(nameof(UnreadableException)));
    }

    [Test]
    public async Task A_handlers_unreadable_exception_is_reported_and_the_link_goes_on(
        [Values("at once", "later", "as bytes", "formatter")] string how, [Values] bool subscriberThrowsToo)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, main: o => o.EndOnHandlerFailure = false);
        var reported = new List<string>();
        PacketRouter router = Throwing(how);
        router.HandlerFailed += (_, failed) =>
        {
            reported.Add(failed.ToString());
            if (subscriberThrowsToo)
            {
                throw new UnreadableException();
            }
        };
        rig.Main.Start(router);
        rig.Worker.Start(new PacketRouter());
        PacketType<string> type = how == "formatter" ? Unreadable : TestPackets.Text;
        for (int i = 0; i < 3; i++)
        {
            Assert.That(await rig.Worker.SendAsync(type, "x"), Is.EqualTo(SendResult.Queued));
        }

        LinkEnd end = await rig.Worker.CloseAsync().Within("the close"), other = await rig.Main.Completion.Within("the other end");
        Assert.That((end.IsClean, end.Receipt.Acknowledged), Is.EqualTo((true, 3L)));
        Assert.That((other.IsClean, other.Receipt.HandlerFailures), Is.EqualTo((true, 3L)));
        Assert.That(reported, Has.Count.EqualTo(3).And.All.Contain(nameof(UnreadableException)));
    }

    [Test]
    public async Task A_request_that_fails_with_an_unreadable_exception_is_answered_and_gives_its_place_back(
        [Values("at once", "later", "formatter")] string how)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: o => o.MaxRequests = 1);
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter()
            .OnRequest<string, string>(Unreadable, TestPackets.Text, (question, _) => Task.FromResult(question))
            .OnRequest<string, string>(TestPackets.Text, TestPackets.Text, async (_, _) =>
            {
                if (how == "later")
                {
                    await Task.Yield();
                }

                throw new UnreadableException();
            }));
        for (int asked = 0; asked < 2;)
        {
            PacketType<string> question = how == "formatter" ? Unreadable : TestPackets.Text;
            TransportException? failed = await Assert.ThrowsAsync<TransportException>(
                () => rig.Main.RequestAsync(question, TestPackets.Text, "x").Within("the answer"));
            Assert.That(failed!.Fault, Is.EqualTo(TransportFault.RequestFailed));

            // The place is free a moment after the answer.
            asked += failed.Message.Contains(nameof(LinkOptions.MaxRequests), StringComparison.Ordinal) && asked > 0 ? 0 : 1;
            Assert.That(failed.Message, Does.Contain(nameof(UnreadableException)).Or.Contain(nameof(LinkOptions.MaxRequests)));
        }

        Assert.That(rig.Worker.State(), Is.EqualTo(LinkState.Open), "the link goes on");
    }

    [Test]
    public async Task A_refused_client_gets_its_answer_though_ConnectionRefused_throws_an_unreadable_exception()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Listener.ConnectionRefused += (_, _) => throw new UnreadableException();
        IWire stranger = await rig.AnotherAsync();
        TransportException? refused = await Assert.ThrowsAsync<TransportException>(
            () => LinkConnector.ConnectAsync(stranger, LinkSecret.Create()).Within("the answer"));
        Assert.That((refused!.Fault, refused.Code), Is.EqualTo((TransportFault.Rejected, "secret")));
    }

    /// <summary>The pulse acknowledges what is handled while the next handler takes long; on its timer's thread nobody would catch
    /// anything.</summary>
    [Test]
    public async Task A_stores_unreadable_exception_does_not_get_out_of_the_pulse()
    {
        var clock = new ManualClock();
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.TimeProvider = clock);
        await using RawPeer rawPeer = peer;
        using var gate = new ManualResetEventSlim();
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        main.Start(new PacketRouter().UseStore(new UnreadableStore()).On(TestPackets.Text, (text, _) =>
        {
            if (text == "hold")
            {
                began.TrySetResult(true);
                gate.Wait(WithinExtensions.Bound);
            }
        }));

        // In one write: between two the first would be acknowledged by the reader.
        byte[] first = RawFrame.Bytes(2, TestPackets.Text.Id, Bodies.Value("first"));
        peer.SendBytes([.. first, .. RawFrame.Bytes(2, TestPackets.Text.Id, Bodies.Value("hold"))]);
        await began.Task.Within("the handler");
        Assert.That(() => clock.Advance(TimeSpan.FromSeconds(5)), Throws.Nothing);
        gate.Set();
        Task reading = peer.ReadToEndAsync();
        LinkEnd end = await main.Completion.Within("the end");
        await reading;
        Assert.That(end.Fault, Is.EqualTo(TransportFault.HandlerFailed));
        Assert.That(end.Reason, Does.Contain(nameof(UnreadableException)).And.Contain("flushed by its store"));
    }

    [Test]
    public async Task A_wire_that_throws_unreadable_exceptions_ends_its_link_and_no_more(
        [Values("read", "write", "write IO", "abort")] string what)
    {
        ThrowingWire? broken = null;
        await using LinkRig rig = await LinkRig.OpenAsync(wire, fault: inner => broken = new ThrowingWire(inner));
        rig.Main.Start(new PacketRouter());
        rig.Worker.Start(new PacketRouter());
        switch (what)
        {
            case "read":
                broken!.Throw(read: new UnreadableException());
                Assert.That(rig.Main.TrySend(TestPackets.Text, "x"), Is.EqualTo(SendResult.Queued));
                break;
            case "abort":
                broken!.Throw(end: new UnreadableException());
                rig.Worker.Abort("the test wants it");
                break;
            default:
                broken!.Throw(write: what == "write" ? new UnreadableException() : new UnreadableIOException());
                Assert.That(rig.Worker.TrySend(TestPackets.Text, "x"), Is.EqualTo(SendResult.Queued));
                bool seen = SpinWait.SpinUntil(() => rig.Worker.State() != LinkState.Open, WithinExtensions.Bound);
                Assert.That(seen, Is.True, "the failed write");
                rig.Main.Abort("the test wants it");
                break;
        }

        LinkEnd end = await rig.Worker.Completion.Within("the end");
        TransportFault expected = what switch
        {
            "read" => TransportFault.HandlerFailed,
            "abort" => TransportFault.Aborted,
            _ => TransportFault.PeerGone,
        };
        Assert.That((end.Fault, rig.Worker.State()), Is.EqualTo((expected, LinkState.Closed)));
    }

    private static PacketRouter Throwing(string how) => how switch
    {
        "at once" => new PacketRouter().On(TestPackets.Text, (_, _) => Throw()),
        "later" => new PacketRouter().On(TestPackets.Text, async (_, _) =>
        {
            await Task.Yield();
            Throw();
        }),
        "formatter" => new PacketRouter().On(Unreadable, (_, _) => { }),
        "store" => new PacketRouter().UseStore(new TestStore { Refusal = new UnreadableException() }).On(TestPackets.Text, (_, _) => { }),
        _ => new PacketRouter().OnRaw(TestPackets.Text.Id, _ => Throw()),
    };

    private static void Throw() => throw new UnreadableException();

    private sealed class UnreadableStore : IPacketStore
    {
        public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken) => default;

        public ValueTask FlushAsync(CancellationToken cancellationToken) => throw new UnreadableException();
    }

    /// <summary>Writes a text, and cannot read one.</summary>
    private sealed class UnreadableFormatter : IPacketFormatter<string>
    {
        public void Write(IBufferWriter<byte> output, string packet) => TestPackets.Text.Formatter.Write(output, packet);

        public string Read(in ReadOnlySequence<byte> body) => throw new UnreadableException();
    }
}
