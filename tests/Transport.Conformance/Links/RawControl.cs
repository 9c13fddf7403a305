using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Control packets, chunks and acknowledgements, by a peer that writes the bytes itself.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Unix)]
internal sealed class RawControl(string wire)
{
    private static IEnumerable<TestCaseData> UnusualPings()
    {
        TestCaseData Row(string name, params byte[] body) => new TestCaseData(body).SetArgDisplayNames(name);
        yield return Row("map 16, str 8, uint 8", 0xde, 0, 1, 0xd9, 2, (byte)'i', (byte)'d', 0xcc, 5);
        yield return Row("map 32, str 16, uint 16", 0xdf, 0, 0, 0, 1, 0xda, 0, 2, (byte)'i', (byte)'d', 0xcd, 0, 5);
        yield return Row("str 32, uint 32", 0x81, 0xdb, 0, 0, 0, 2, (byte)'i', (byte)'d', 0xce, 0, 0, 0, 5);
        yield return Row("uint 64", 0x81, 0xa2, (byte)'i', (byte)'d', 0xcf, 0, 0, 0, 0, 0, 0, 0, 5);
        yield return Row("int 8", 0x81, 0xa2, (byte)'i', (byte)'d', 0xd0, 5);
        yield return Row("int 64", 0x81, 0xa2, (byte)'i', (byte)'d', 0xd3, 0, 0, 0, 0, 0, 0, 0, 5);
        yield return Row("unknown keys, nil where it may be", [0x84, 0xa1, (byte)'x', 0x92, 0xc0, 0x80,
            .. "\u00abqueuedBytes"u8.ToArray().Skip(1), 0xc0, 0xa2, (byte)'i', (byte)'d', 5, 0xa1, (byte)'y', 0xca, 0, 0, 0, 0]);
    }

    [TestCaseSource(nameof(UnusualPings))]
    public async Task Every_valid_encoding_of_a_control_body_is_read(byte[] body)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        peer.Send(0, RawPeer.Ping, body);
        RawFrame pong = await peer.ReadAsync();
        Assert.That((pong.Type, pong.Map["id"]), Is.EqualTo((RawPeer.Pong, (object)5L)));
    }

    /// <summary>A peer may leave the levels out, and a later one may know more of them.</summary>
    [Test]
    public async Task Drops_are_added_up_by_level_where_the_peer_reports_them()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        peer.Send(0, RawPeer.Dropped, Bodies.Map(("lane", 2), ("packets", 5)));
        byte[] byLevel = [.. Bodies.Value("byLevel"), 0x83, 0, 2, 5, 1, 99, 7];
        peer.Send(0, RawPeer.Dropped, [0x83, .. Bodies.Value("lane"), 3, .. Bodies.Value("packets"), 10, .. byLevel]);
        peer.Send(0, RawPeer.Dropped, [0x83, .. Bodies.Value("lane"), 1, .. Bodies.Value("packets"), 10, .. byLevel]);
        peer.Send(0, RawPeer.Dropped, Bodies.Map(("lane", 1), ("packets", 1), ("byLevel", null)));
        peer.Send(0, RawPeer.Ping, Bodies.Map(("id", 3)));
        await peer.ReadUntilAsync(RawPeer.Pong);
        Assert.That(main.Receipt.PeerDropped, Is.EqualTo(26));
        Assert.That(main.Receipt.PeerDroppedByLevel,
            Is.EquivalentTo(new Dictionary<PacketLevel, long> { [PacketLevel.Trace] = 4, [PacketLevel.Critical] = 2 }));
    }

    [Test]
    public async Task Unknown_control_packets_and_credit_are_skipped()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        foreach (int type in new[] { 0, 10, 13, 77, 255 })
        {
            peer.Send(0, type, [0xc1, 0xc1]);
        }

        peer.Send(0, RawPeer.Ping, Bodies.Map(("id", 3)));
        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Pong));
        Assert.That(main.Counters.UnknownPackets, Is.Zero);
    }

    [Test]
    public async Task Chunks_of_any_size_and_of_lanes_between_each_other_make_their_packets([Range(1, 4)] int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        var came = new List<(int Lane, byte[] Body)>();
        main.Start(new PacketRouter().OnRaw(2000, p => came.Add(((int)p.Lane, p.Body.ToArray()))));
        var random = new Random(seed);
        var lanes = Enumerable.Range(1, 3).Select(lane => (Lane: lane, Left: new Queue<byte[]>(Enumerable.Range(0, 5)
            .Select(i => Bodies.Value(WireReading.Pattern(random.Next(70_000), i)))))).ToArray();
        byte[][] sent = [.. lanes.SelectMany(l => l.Left)];
        var at = new int[4];
        Task<List<RawFrame>> acks = peer.ReadUntilAsync(RawPeer.Goodbye);
        await WireReading.OnThread(() =>
        {
            while (lanes.Any(l => l.Left.Count > 0))
            {
                (int lane, Queue<byte[]> left) = lanes.Where(l => l.Left.Count > 0)
                    .ElementAt(random.Next(lanes.Count(l => l.Left.Count > 0)));
                byte[] body = left.Peek();
                int piece = Math.Min(random.Next(4) switch { 0 => 1, 1 => random.Next(1, 50), _ => random.Next(1, 65_537) },
                    body.Length - at[lane]);
                bool more = at[lane] + piece < body.Length;
                peer.Send(lane | (more ? RawFrame.More : 0), 2000, body.AsSpan(at[lane], piece).ToArray());
                at[lane] = more ? at[lane] + piece : 0;
                _ = more ? null : left.Dequeue();
            }

            peer.SendGoodbye(15);
        }).Within("writing");
        await acks.Within("Goodbye");
        Assert.That(came.OrderBy(c => c.Lane).Select(c => c.Body), Is.EqualTo(sent));
    }

    [Test]
    public async Task Acks_only_grow_and_the_last_one_says_all()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        byte[] many = [.. Enumerable.Repeat(RawFrame.Bytes(2, 2000, [0xc0]), 3_000).SelectMany(f => f)];
        var acks = new List<long>();
        await WireReading.OnThread(() => peer.SendBytes(many)).Within("writing");
        while (acks.Count == 0 || acks[acks.Count - 1] < 3_000)
        {
            acks.Add((long)(await peer.ReadUntilAsync(RawPeer.Ack)).Single().Map["packets"]!);
        }

        Assert.That(acks, Is.Ordered.Ascending.And.Unique);
        peer.Send(0, RawPeer.Ping, Bodies.Map(("id", 1)));
        Assert.That((await peer.ReadAsync()).Type, Is.EqualTo(RawPeer.Pong), "never repeated with the same number");
        peer.SendGoodbye(3_000);
        List<RawFrame> end = await peer.ReadUntilAsync(RawPeer.Goodbye);
        Assert.That(end.Select(f => f.Type), Is.EqualTo(new[] { RawPeer.Ack, RawPeer.Goodbye }));
        Assert.That(end[0].Map["packets"], Is.EqualTo(3_000L), "but in answer to Goodbye");
    }

    [TestCase(1, 20_000, 18_000, 4_096)]
    [TestCase(60_000, 100, 90, 18)]
    public async Task An_Ack_comes_at_the_latest_after_4096_packets_or_1_MiB_also_while_input_waits(
        int size, int packets, int heldAt, int every)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire);
        await using RawPeer rawPeer = peer;
        var gate = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        int came = 0;
        main.Start(new PacketRouter().OnRawAsync(2000, async _ =>
        {
            if (++came == heldAt)
            {
                await gate.Task;
            }
        }));
        byte[] frame = RawFrame.Bytes(2, 2000, size == 1 ? [0xc0] : Bodies.Value(new byte[size]));
        Task writing = WireReading.OnThread(() => peer.SendBytes([.. Enumerable.Repeat(frame, packets).SelectMany(f => f)]));
        long last = 0;
        while (last < heldAt - every)
        {
            last = (long)(await peer.ReadUntilAsync(RawPeer.Ack)).Last().Map["packets"]!;
        }

        Assert.That(last, Is.LessThan(heldAt));
        gate.SetResult(true);
        await writing.Within("writing");
    }

    [Test]
    public async Task A_main_node_survives_five_hundred_hostile_connections_while_a_link_streams()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.MaxPendingHandshakes = 32);
        var traffic = new Traffic(7, 2, 1_500, 5_000);
        rig.Main.Start(traffic.Router());
        rig.Worker.Start(new PacketRouter());
        Task sending = traffic.SendAsync(rig.Worker);
        var random = new Random(7);
        TestContext.Out.WriteLine("seed 7");
        var held = new List<IWire>();
        for (int i = 0; i < 500; i++)
        {
            IWire hostile = await rig.AnotherAsync();
            byte[] bytes = (i % 5) switch
            {
                0 => [],
                1 => WireReading.Pattern(random.Next(1, 4_000), i),
                2 => RawFrame.Bytes(0, 1, RawPeer.HelloBody(new byte[32])),
                3 => RawFrame.Bytes(0, 1, [.. Enumerable.Repeat((byte)0x91, 60_000)]),
                _ => RawFrame.Bytes(0, 1, RawPeer.HelloBody(new byte[32])).AsSpan(0, random.Next(1, 60)).ToArray(),
            };
            try
            {
                hostile.Write(bytes, 0, bytes.Length);
            }
            catch (System.IO.IOException)
            {
                // Refused while it spoke.
            }

            if (i % 3 == 0)
            {
                hostile.Dispose();
            }
            else
            {
                held.Add(hostile);
            }
        }

        await sending.Within("the real link");
        LinkTicket late = rig.Listener.Expect("late");
        Link link = await LinkConnector.ConnectAsync(await rig.AnotherAsync(), late.Secret).Within("a real worker behind them");
        Link lateMain = await late.WaitForLinkAsync().Within("its link");
        lateMain.Start(new PacketRouter());
        Assert.That((await link.CloseAsync().Within("its end")).IsClean, Is.True);

        // It takes its segments from the pool that the rig looks over at the end.
        Assert.That((await lateMain.Completion.Within("the main node's end of it")).IsClean, Is.True);
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That(end.Receipt.NoLossKnown, Is.True);
        Assert.That(traffic.Wrong, Is.Empty);
        Assert.That(SpinWait.SpinUntil(() => rig.Listener.RefusedConnections >= 460, WithinExtensions.Bound), Is.True,
            $"{rig.Listener.RefusedConnections} refused");
        held.ForEach(w => w.Dispose());
    }
}
