using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What a link's packets look like on the wire, and what its formatters may do.</summary>
[TestFixture(WireKinds.Memory)]
[TestFixture(WireKinds.Pipe)]
internal sealed class LinkFraming(string wire)
{
    private static IEnumerable<int> Sizes =>
        new[] { 1, 2, 40, 4_076, 4_086, 4_096, 8_180, 32_000, 131_052, 131_062, 131_072, 131_073, 196_608, 262_134, 262_144, 300_000 }
            .Concat(Enumerable.Range(65_520, 32)).Concat(Enumerable.Range(131_060, 16));

    /// <summary>How a formatter may ask for capacity: 0 for spans of any size, then ever larger hints.</summary>
    private static readonly int[] Hints = [0, 1, 5_000, 65_000, 65_536, 65_537, 100_000, 300_000];

    [Test]
    public async Task Bodies_of_every_size_travel_in_frames_of_the_protocol([ValueSource(nameof(Hints))] int hint)
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => o.MaxQueuedBytes = 64 << 20);
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        var type = new PacketType<byte[]>(3000, "Bytes", new HintingFormatter(hint));
        int[] sizes = [.. Sizes];
        byte[][] bodies = [.. sizes.Select(s => WireReading.Pattern(s, s))];
        Task<List<RawFrame>> reading = peer.ReadUntilAsync(RawPeer.Goodbye);
        foreach (byte[] body in bodies)
        {
            Assert.That(main.TrySend(type, body), Is.EqualTo(SendResult.Queued));
            Assert.That(main.TrySendRaw(3001, body), Is.EqualTo(SendResult.Queued));
        }

        _ = main.CloseAsync();
        List<RawFrame> frames = await reading.Within("the frames");
        Judge([.. frames.Where(f => f.Type == 3000)], bodies);
        Judge([.. frames.Where(f => f.Type == 3001)], bodies);
        Assert.That(frames[frames.Count - 1].Map["packets"], Is.EqualTo(2L * sizes.Length));
        peer.SendGoodbye(0);
        peer.Wire.Shutdown();
    }

    [Test]
    public async Task A_packet_above_the_peers_maximum_is_the_callers_mistake_and_leaves_the_lane_intact()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.MaxPacketBytes = 100_000);
        var came = new List<long>();
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (n, _) => came.Add(n.Number)));
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Worker.Peer.MaxPacketBytes, Is.EqualTo(100_000));
        for (int i = 0; i < 20; i++)
        {
            Assert.That(rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, i, new byte[i * 3_000])), Is.EqualTo(SendResult.Queued));
            TransportException? large = Assert.Throws<TransportException>(() =>
                _ = rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, -1, new byte[100_001 + (i * 50_000)])));
            Assert.That(large!.Fault, Is.EqualTo(TransportFault.PacketTooLarge));
            Assert.That(large.Message, Does.Contain("100000").And.Contain("1024"));
            Assert.That(() => rig.Worker.TrySendRaw(2000, new byte[100_001]), Throws.TypeOf<TransportException>());
        }

        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That(end.Receipt.NoLossKnown, Is.True);
        Assert.That(came, Is.EqualTo(Enumerable.Range(0, 20)));
    }

    [Test]
    public async Task A_formatter_that_fails_writes_nothing_or_sends_leaves_the_lane_intact([ValueSource(nameof(Hints))] int hint)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: o => o.MaxQueuedBytes = 64 << 20);
        var came = new List<long>();
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (n, _) => came.Add(n.Number)));
        rig.Worker.Start(new PacketRouter());
        int[] before = [0, 100, 3_000, 70_000, 140_000, 500_000];
        for (int i = 0; i < 30; i++)
        {
            var throwing = new PacketType<byte[]>(3000, "Throwing", new HintingFormatter(hint, () => throw new FormatException("mine")));
            Assert.That(() => rig.Worker.TrySend(throwing, new byte[before[i % 6]]), Throws.TypeOf<FormatException>());
            var silent = new PacketType<byte[]>(3000, "Silent", new HintingFormatter(hint));
            Assert.That(() => rig.Worker.TrySend(silent, []), Throws.InvalidOperationException);
            Assert.That(rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, i, new byte[before[i % 6] / 2])),
                Is.EqualTo(SendResult.Queued));
        }

        Assert.That((await rig.Worker.CloseAsync().Within("the close")).Receipt.NoLossKnown, Is.True);
        Assert.That(came, Is.EqualTo(Enumerable.Range(0, 30)));
    }

    [TestCase(Lane.Urgent)]
    [TestCase(Lane.Normal)]
    [TestCase(Lane.Bulk)]
    public async Task A_formatter_may_not_send_on_its_own_link_in_any_lane(Lane lane)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        int came = 0;
        rig.Main.Start(new PacketRouter().On(TestPackets.Text, (_, _) => came++));
        rig.Worker.Start(new PacketRouter());
        var nested = new PacketType<byte[]>(
            3000, "Nested", new HintingFormatter(0, () => _ = rig.Worker.TrySend(TestPackets.Text, "inner", lane)));
        var raw = new PacketType<byte[]>(3000, "Nested", new HintingFormatter(0, () => _ = rig.Worker.TrySendRaw(2000, [0xc0], lane)));
        Assert.That(() => rig.Worker.TrySend(nested, new byte[9]), Throws.InvalidOperationException);
        Assert.That(() => rig.Worker.TrySend(raw, new byte[9]), Throws.InvalidOperationException);
        Assert.That(rig.Worker.TrySend(TestPackets.Text, "outer", lane), Is.EqualTo(SendResult.Queued));
        Assert.That((await rig.Worker.CloseAsync().Within("the close")).Receipt.Acknowledged, Is.EqualTo(1));
        Assert.That(came, Is.EqualTo(1));
    }

    private static void Judge(List<RawFrame> frames, byte[][] bodies)
    {
        int at = 0;
        foreach (byte[] expected in bodies)
        {
            var body = new List<byte>();
            int chunks = 0;
            RawFrame frame;
            do
            {
                frame = frames[at++];
                body.AddRange(frame.Body);
                chunks++;
            }
            while (frame.HasMore);
            Assert.That(body.ToArray().AsSpan().SequenceEqual(expected), Is.True, $"a body of {expected.Length} bytes");
            Assert.That(frame.Lane, Is.EqualTo(2));
            Assert.That(chunks == 1, Is.EqualTo(expected.Length <= 65_536), $"{expected.Length} bytes in {chunks} frames");
        }

        Assert.That(at, Is.EqualTo(frames.Count));
    }

    /// <summary>Writes bytes as they are, asking for space in its own way, then does something else.</summary>
    private sealed class HintingFormatter(int hint, Action? afterwards = null) : IPacketFormatter<byte[]>
    {
        public void Write(IBufferWriter<byte> output, byte[] packet)
        {
            for (int done = 0; done < packet.Length;)
            {
                Span<byte> target = (done & 1) == 0 ? output.GetSpan(hint) : output.GetMemory(hint).Span;
                Assert.That(target.Length, Is.GreaterThanOrEqualTo(Math.Max(hint, 1)));
                int piece = Math.Min(target.Length, packet.Length - done);
                packet.AsSpan(done, piece).CopyTo(target);
                output.Advance(piece);
                done += piece;
            }

            Assert.That(() => output.Advance(1 << 30), Throws.InstanceOf<ArgumentOutOfRangeException>());
            afterwards?.Invoke();
        }

        public byte[] Read(in ReadOnlySequence<byte> body) => body.ToArray();
    }
}
