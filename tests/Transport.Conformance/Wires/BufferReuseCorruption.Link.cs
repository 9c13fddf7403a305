using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <content>The whole link under the same conditions: its segments are reused over and over while the reader stands behind the
/// gate.</content>
public sealed partial class BufferReuseCorruption
{
    [Promise("Sending", "A buffer is reused only after its write has completed.")]
    [Test]
    public async Task A_link_whose_segments_are_reused_never_shows_junk(
        [ValueSource(nameof(Shapes))] (int Size, int Count) shape, [ValueSource(typeof(PoolKinds), nameof(PoolKinds.All))] string memory)
    {
        // The pool overwrites what it gets back: a segment that came back before its write had ended shows at once.
        var pool = new AccusingPool(PoolKinds.Open(memory));
        (RawPeer peer, Link link) = await RawPeer.OpenAsync(kind == StreamKind.UnixSocket ? WireKinds.Unix : WireKinds.Pipe, o =>
        {
            o.MaxQueuedBytes = 1 << 20;
            o.Pool = pool;
        });
        await using RawPeer rawPeer = peer;
        link.Start(new PacketRouter());
        var type = new PacketType<byte[]>(2000, "Filled", new CopyingFormatter());
        int queued = 0;
        Task sending = WireReading.OnThread(() =>
        {
            byte[] packet = new byte[shape.Size];
            for (int i = 0; i < shape.Count; i++)
            {
                Packet.Fill(packet, i); // The caller may: a packet that is answered Queued is the link's no more.
                Assert.That(link.Send(type, packet, WithinExtensions.Bound), Is.EqualTo(SendResult.Queued));
                Volatile.Write(ref queued, i + 1);
            }
        });
        Stalled.Wait(() => Volatile.Read(ref queued));
        Assert.That(queued, Is.LessThan(shape.Count), "the queue is full while the reader is held back");
        int junk = 0;
        for (int i = 0; i < shape.Count; i++)
        {
            junk += Packet.IsValid(await ReadPacketAsync(peer), i) ? 0 : 1;
        }

        await sending.Within("the sender");
        Assert.That(junk, Is.Zero, "packets with junk");
        Assert.That(pool.Accusations, Is.Empty);
    }

    private static async Task<byte[]> ReadPacketAsync(RawPeer peer)
    {
        var body = new List<byte>();
        RawFrame frame;
        do
        {
            frame = await peer.ReadAsync();
            if (frame.Lane == 2)
            {
                body.AddRange(frame.Body);
            }
        }
        while (frame.HasMore || frame.Lane != 2);
        return body.ToArray();
    }

    private sealed class CopyingFormatter : IPacketFormatter<byte[]>
    {
        public void Write(IBufferWriter<byte> output, byte[] packet) => output.Write(packet);

        public byte[] Read(in ReadOnlySequence<byte> body) => body.ToArray();
    }
}
