using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Bodies that are read from a stream and received as one (SendStreamAsync, OpenStream).</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkBodies(string wire)
{
    private const ushort Type = 1030;

    [Test]
    public async Task A_stream_arrives_byte_for_byte_and_no_block_has_its_size(
        [Values(0, 1, 255, 256, 65_533, 65_536, 300_000, 12_000_000)] int size,
        [Values] bool isKnown,
        [ValueSource(typeof(PoolKinds), nameof(PoolKinds.All))] string memory)
    {
        byte[] content = WireReading.Pattern(size, 7);
        var pool = new AccusingPool(PoolKinds.Open(memory));
        var received = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using (LinkRig rig = await LinkRig.OpenAsync(wire, main => main.Pool = pool, worker => worker.Pool = pool))
        {
            rig.Worker.Start(new PacketRouter());
            rig.Main.Start(new PacketRouter().OnRawAsync(Type, async packet =>
            {
                Stream stream = packet.Packet.OpenStream();
                Assert.That(stream.Length, Is.EqualTo(size));
                using var copy = new MemoryStream();
                await stream.CopyToAsync(copy);
                received.TrySetResult(copy.ToArray());
            }));
            using var source = new MemoryStream(content);
            Task<SendResult> sending = rig.Worker.SendStreamAsync(Type, source, isKnown ? size : null).AsTask();
            Assert.That(await sending.Within("the send"), Is.EqualTo(SendResult.Queued));
            Assert.That(Hash(await received.Task.Within("the packet")), Is.EqualTo(Hash(content)));
        }

        Assert.That(pool.LargestRented, Is.LessThanOrEqualTo(SegmentPool.Largest));
        pool.Judge("both");
    }

    [Test]
    public async Task Handlers_of_bytes_open_it_too()
    {
        var received = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Worker.Start(new PacketRouter());
        rig.Main.Start(new PacketRouter().OnRaw(Type, packet =>
        {
            using Stream stream = packet.OpenStream();
            stream.Seek(-3, SeekOrigin.End);
            byte[] end = new byte[10];
            received.TrySetResult([.. end.Take(stream.Read(end, 0, 10))]);
        }));
        using var source = new MemoryStream(WireReading.Pattern(200_000, 7));
        source.Position = 100_000;
        Assert.That(await rig.Worker.SendStreamAsync(Type, source, 50_000), Is.EqualTo(SendResult.Queued));
        Assert.That(source.Position, Is.EqualTo(150_000), "no more is read than was asked for");
        Assert.That(await received.Task.Within("the packet"), Is.EqualTo(source.ToArray().Skip(149_997).Take(3)));
    }

    [Test]
    public async Task What_goes_wrong_with_a_stream_ends_its_packet_and_not_the_link()
    {
        var received = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LinkRig rig = await LinkRig.OpenAsync(wire, main => main.MaxPacketBytes = 1 << 20);
        rig.Worker.Start(new PacketRouter());
        rig.Main.Start(new PacketRouter().OnRaw(Type, _ => throw new InvalidOperationException("it came"))
            .On(TestPackets.Text, (text, _) => received.TrySetResult(text)));

        EndOfStreamException early = await ThrowsAsync<EndOfStreamException>(
            rig.Worker.SendStreamAsync(Type, new MemoryStream(new byte[600_000]), 700_000));
        Assert.That(early.Message, Does.Contain("was to have 700000 bytes, and its stream ended after 600000: it was not sent"));
        IOException broken = await ThrowsAsync<IOException>(rig.Worker.SendStreamAsync(Type, new BreakingStream(400_000)));
        Assert.That(broken.Message, Is.EqualTo("the disk is gone"));
        using (var cancel = new CancellationTokenSource())
        {
            var endless = new BreakingStream(int.MaxValue) { Stalled = cancel.Cancel };
            await ThrowsAsync<OperationCanceledException>(rig.Worker.SendStreamAsync(Type, endless, cancellationToken: cancel.Token));
        }

        foreach (long? length in new long?[] { null, 1 << 20, 1L << 40 })
        {
            TransportException large = await ThrowsAsync<TransportException>(
                rig.Worker.SendStreamAsync(Type, new MemoryStream(new byte[2 << 20]), length));
            Assert.That(large.Fault, Is.EqualTo(TransportFault.PacketTooLarge), large.Message);
        }

        await ThrowsAsync<ArgumentOutOfRangeException>(rig.Worker.SendStreamAsync(Type, new MemoryStream(), -1));
        await ThrowsAsync<ArgumentOutOfRangeException>(rig.Worker.SendStreamAsync(272, new MemoryStream()));
        await ThrowsAsync<ArgumentNullException>(rig.Worker.SendStreamAsync(Type, null!));
        Assert.That(rig.Worker.TrySend(TestPackets.Text, "still here"), Is.EqualTo(SendResult.Queued));
        Assert.That(await received.Task.Within("a packet"), Is.EqualTo("still here"));
        Assert.That((rig.Worker.State(), rig.Main.State()), Is.EqualTo((LinkState.Open, LinkState.Open)));
    }

    [Test]
    public async Task A_large_stream_is_over_when_its_handler_has_returned([Values(100_000, 1_000_000)] int size)
    {
        var kept = new TaskCompletionSource<Stream>(TaskCreationOptions.RunContinuationsAsynchronously);
        var next = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Worker.Start(new PacketRouter());
        rig.Main.Start(new PacketRouter().OnRawAsync(Type, async packet =>
        {
            Stream stream = packet.Packet.OpenStream();
            await Task.Yield();
            kept.TrySetResult(stream);
        }).On(TestPackets.Text, (text, _) => next.TrySetResult(text)));
        SendResult sent = await rig.Worker.SendStreamAsync(Type, new MemoryStream(new byte[size]), lane: Lane.Normal);
        Assert.That(sent, Is.EqualTo(SendResult.Queued));
        Assert.That(rig.Worker.TrySend(TestPackets.Text, "behind it"), Is.EqualTo(SendResult.Queued));
        await next.Task.Within("the next packet");
        Stream over = await kept.Task;
        Assert.That(() => over.Read(new byte[1], 0, 1), Throws.InstanceOf<ObjectDisposedException>());
        Assert.That(() => over.Position, Throws.InstanceOf<ObjectDisposedException>());
        Assert.That(over.CanRead, Is.False);
        over.Dispose();
        over.Dispose();
    }

    /// <summary>A bin, and by turns all that is none: a peer that sends it ends its link by name.</summary>
    [TestCase("c0")]
    [TestCase("a161")]
    [TestCase("93c401ffc0c0")]
    public async Task A_body_that_is_no_bin_ends_the_link_by_name(string body)
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Worker.Start(new PacketRouter());
        rig.Main.Start(new PacketRouter().OnRaw(Type, packet => packet.OpenStream().Dispose()));
        byte[] bytes = [.. Enumerable.Range(0, body.Length / 2).Select(i => Convert.ToByte(body.Substring(2 * i, 2), 16))];
        Assert.That(rig.Worker.TrySendRaw(Type, bytes), Is.EqualTo(SendResult.Queued));
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.HandlerFailed));
        Assert.That(end.ToString(), Does.Contain("Expected a body that is one bin, as SendStreamAsync sends it"));
    }

    [Test]
    public async Task A_handler_that_throws_fails_as_any_other()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        rig.Worker.Start(new PacketRouter());
        rig.Main.Start(new PacketRouter().OnRaw(Type, _ => throw new IOException("no space left")));
        Assert.That(await rig.Worker.SendStreamAsync(Type, new MemoryStream(new byte[500_000])), Is.EqualTo(SendResult.Queued));
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That((end.Fault, end.ToString().Contains("no space left")), Is.EqualTo((TransportFault.HandlerFailed, true)));
    }

    private static string Hash(byte[] bytes)
    {
        using var sha = SHA256.Create();
        return $"{bytes.Length}: {Convert.ToBase64String(sha.ComputeHash(bytes))}";
    }

    private static async Task<T> ThrowsAsync<T>(ValueTask<SendResult> sending)
        where T : Exception
    {
        try
        {
            _ = await sending.AsTask().Within("the send");
        }
        catch (T expected)
        {
            return expected;
        }

        throw new InvalidOperationException($"Expected {typeof(T)}.");
    }

    /// <summary>Gives zeros, and breaks after so many; or stalls after a megabyte if somebody waits for that.</summary>
    private sealed class BreakingStream(int whole) : MemoryStream
    {
        private int _given;

        public Action? Stalled { get; init; }

        public override async Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        {
            if (Stalled is not null && _given > 200_000)
            {
                Stalled();
                await Task.Delay(Timeout.Infinite, cancellationToken);
            }

            int given = Math.Min(count, whole - _given);
            _given += given;
            return given > 0 ? given : throw new IOException("the disk is gone");
        }
    }
}
