using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>How packets meet their handlers.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkHandlers(string wire)
{
    [Test]
    public async Task Handlers_run_one_at_a_time_and_an_asynchronous_one_is_done_before_the_next()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        int inside = 0;
        int most = 0;
        var order = new List<int>();
        async Task Handle(int number)
        {
            most = Math.Max(most, Interlocked.Increment(ref inside));
            await Task.Yield();
            order.Add(number);
            Interlocked.Decrement(ref inside);
        }

        rig.Main.Start(new PacketRouter()
            .On(TestPackets.Numbered, (n, _) => Handle((int)n.Number))
            .OnRaw(2000, p => Handle(new PacketReader(p.Body).ReadInt32()))
            .OnUnknown(p => Handle(new PacketReader(p.Body).ReadInt32())));
        rig.Worker.Start(new PacketRouter());
        for (int i = 0; i < 600; i++)
        {
            _ = (i % 3) switch
            {
                0 => rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, i, [])),
                1 => rig.Worker.TrySendRaw(2000, Bodies.Value(i)),
                _ => rig.Worker.TrySendRaw(2001, Bodies.Value(i)),
            };
        }

        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That(most, Is.EqualTo(1));
        Assert.That(order, Is.EqualTo(Enumerable.Range(0, 600)));
        Assert.That(end.Receipt.Acknowledged, Is.EqualTo(600));
    }

    [Test]
    public async Task An_asynchronous_handlers_packet_is_not_acknowledged_before_it_is_done()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var gate = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        main.Start(new PacketRouter().OnRawAsync(2000, async _ =>
        {
            began.TrySetResult(true);
            await gate.Task;
        }));
        peer.Send(2, 2000, [0xc0]);
        await began.Task.Within("the handler");
        Assert.That((main.Receipt.Taken, main.Counters.BytesSent), Is.EqualTo((0L, 0L)));
        gate.SetResult(true);
        RawFrame ack = await peer.ReadAsync();
        Assert.That((ack.Type, ack.Map["packets"]), Is.EqualTo((RawPeer.Ack, (object)1L)));
    }

    [Promise("Handling", "A handler that throws ends its link with `HandlerFailed`; the main node goes on.")]
    [TestCase(true)]
    [TestCase(false)]
    [Repeat(40)]
    public async Task A_handler_that_throws_ends_its_link_by_name_at_both_sides(bool asynchronous)
    {
        // An ended link gives its last packets 250 ms; this clock stands still, so they have all the time they need.
        await using LinkRig rig = await LinkRig.OpenAsync(
            wire, o => o.TimeProvider = new ManualClock(), o => o.TimeProvider = new ManualClock());
        var cause = new ArgumentException("no such project");
        PacketRouter router = asynchronous
            ? new PacketRouter().On(TestPackets.Text, async (_, _) => { await Task.Yield(); throw cause; })
            : new PacketRouter().On(TestPackets.Text, (Action<string>)(_ => throw cause));
        rig.Main.Start(router);
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySend(TestPackets.Text, "boom");
        LinkEnd main = await rig.Main.Completion.Within("the main node's end");
        LinkEnd worker = await rig.Worker.Completion.Within("the worker's end");
        Assert.That(main.Fault, Is.EqualTo(TransportFault.HandlerFailed));
        Assert.That(main.Cause, Is.SameAs(cause));
        Assert.That(main.Reason, Does.Contain("Text (1025)").And.Contain("ArgumentException").And.Contain("no such project"));
        Assert.That(worker.Fault, Is.EqualTo(TransportFault.HandlerFailed), worker.ToString());
        Assert.That(main.Receipt.Taken, Is.Zero);
    }

    [Test]
    public async Task Packets_nobody_knows_are_counted_and_handed_over_byte_by_byte()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        var came = new List<(int Type, Lane Lane, byte[] Body)>();
        rig.Main.Start(new PacketRouter().OnUnknown(p => came.Add((p.Type, p.Lane, p.Body.ToArray()))));
        rig.Worker.Start(new PacketRouter());
        byte[][] bodies = [[0xc0], Bodies.Value(new object[] { 1, "two", new byte[] { 3 } }), Bodies.Value(new byte[200_000])];
        for (int i = 0; i < 3; i++)
        {
            _ = rig.Worker.TrySendRaw((ushort)(300 + i), bodies[i], Lane.Bulk);
        }

        _ = rig.Worker.TrySendRaw(302, bodies[0], Lane.Bulk);
        await rig.Worker.CloseAsync().Within("the close");
        Assert.That(came.Select(c => c.Type), Is.EqualTo(new[] { 300, 301, 302, 302 }));
        Assert.That(came.Take(3).Select((c, i) => c.Body.AsSpan().SequenceEqual(bodies[i]) && c.Lane == Lane.Bulk), Is.All.True);
        Assert.That(rig.Main.Counters.UnknownByType(), Is.EquivalentTo(new Dictionary<int, long> { [300] = 1, [301] = 1, [302] = 2 }));
        Assert.That(rig.Main.Counters.UnknownPackets, Is.EqualTo(4));
    }

    [Test]
    public async Task A_raw_body_is_on_loan_until_its_handler_is_done_and_no_longer()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        byte[] body = Bodies.Value(WireReading.Pattern(150_000));
        ReadOnlyMemory<byte> kept = default;
        bool soundInside = false;
        rig.Main.Start(new PacketRouter().OnRawAsync(2000, async p =>
        {
            kept = p.Body;
            await Task.Yield();
            soundInside = p.Body.Span.SequenceEqual(body);
        }));
        rig.Worker.Start(new PacketRouter());
        _ = rig.Worker.TrySendRaw(2000, body);
        await rig.Worker.CloseAsync().Within("the close");
        await rig.Main.Completion.Within("the other end");
        Assert.That(soundInside, Is.True);
        Assert.That(() => kept.Span.Length, Throws.InstanceOf<ObjectDisposedException>(), "who keeps it sees that it is gone");
    }
}
