using System;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Tests.Wires;

/// <summary>The kit's faults happen where the plan says, else tests that rely on them prove nothing.</summary>
[TestFixture]
public sealed class FaultyWireTests
{
    private static readonly byte[] Sent = WireReading.Pattern(100);

    [Test]
    public async Task Short_reads()
    {
        using FaultyWire wire = Faulty(new FaultPlan { MaxRead = 3 }, out MemoryWire peer);
        peer.Write(Sent, 0, 10);
        Assert.That(await wire.ReadAsync(new byte[10], 0, 10).Within("a read"), Is.EqualTo(3));
        Assert.That(await wire.ReadExactlyAsync(7), Is.EqualTo(Part(3, 10)));
    }

    [Test]
    public async Task Cut_reading_ends_the_stream_and_kills_the_peers_writes()
    {
        using FaultyWire wire = Faulty(new FaultPlan { CutReadAt = 5 }, out MemoryWire peer);
        peer.Write(Sent, 0, 10);
        Assert.That(await wire.ReadToEndAsync(), Is.EqualTo(Part(0, 5)));
        Assert.That(() => peer.Write(Sent, 0, 1), Throws.InstanceOf<IOException>());
    }

    [Test]
    public async Task Cut_reading_can_throw()
    {
        using FaultyWire wire = Faulty(new FaultPlan { CutReadAt = 5, CutReadThrows = true }, out MemoryWire peer);
        peer.Write(Sent, 0, 10);
        await wire.ReadExactlyAsync(5);
        await Assert.ThrowsAsync<IOException>(() => wire.ReadAsync(new byte[1], 0, 1).Within("the cut"));
    }

    [Test]
    public async Task Cut_writing_lets_the_peer_read_what_went_before()
    {
        using FaultyWire wire = Faulty(new FaultPlan { CutWriteAt = 5 }, out MemoryWire peer);
        Assert.That(() => wire.Write(Sent, 0, 10), Throws.InstanceOf<IOException>());
        Assert.That(await peer.ReadToEndAsync(), Is.EqualTo(Part(0, 5)));
    }

    [Test]
    public async Task A_flip_changes_one_byte_and_not_the_callers_buffer()
    {
        using FaultyWire wire = Faulty(new FaultPlan { FlipReadAt = 4, FlipWriteAt = 7, FlipMask = 0x80 }, out MemoryWire peer);
        byte[] mine = (byte[])Sent.Clone();
        wire.Write(mine, 0, 10);
        byte[] expected = Part(0, 10);
        expected[7] ^= 0x80;
        Assert.That(await peer.ReadExactlyAsync(10), Is.EqualTo(expected));
        Assert.That(mine, Is.EqualTo(Sent));

        peer.Write(Sent, 0, 10);
        expected = Part(0, 10);
        expected[4] ^= 0x80;
        Assert.That(await wire.ReadExactlyAsync(10), Is.EqualTo(expected));
    }

    [Test]
    public async Task A_stalled_write_goes_on_when_its_gate_opens()
    {
        using FaultyWire wire = Faulty(new FaultPlan { StallWriteAt = 5 }, out MemoryWire peer);
        Task writing = wire.WriteOnThread(Sent);
        await wire.WriteStalled.Within("the stall");
        Assert.That(await peer.ReadExactlyAsync(5), Is.EqualTo(Part(0, 5)));
        Assert.That(writing.IsCompleted, Is.False);
        wire.OpenWrites();
        Assert.That(await peer.ReadExactlyAsync(95), Is.EqualTo(Part(5, 100)));
        await writing.Within("the write");
    }

    [Test]
    public async Task A_stalled_read_goes_on_when_its_gate_opens()
    {
        using FaultyWire wire = Faulty(new FaultPlan { StallReadAt = 5 }, out MemoryWire peer);
        peer.Write(Sent, 0, 10);
        Assert.That(await wire.ReadExactlyAsync(5), Is.EqualTo(Part(0, 5)));
        Task<byte[]> rest = wire.ReadExactlyAsync(5);
        await wire.ReadStalled.Within("the stall");
        Assert.That(rest.IsCompleted, Is.False);
        wire.OpenReads();
        Assert.That(await rest, Is.EqualTo(Part(5, 10)));
    }

    [Test]
    public async Task Abort_ends_stalls()
    {
        using FaultyWire wire = Faulty(new FaultPlan { StallReadAt = 0, StallWriteAt = 0 }, out _);
        Task<int> reading = wire.ReadAsync(new byte[1], 0, 1);
        Task writing = wire.WriteOnThread(Sent);
        await wire.WriteStalled.Within("the stall");
        wire.Abort();
        await Assert.ThrowsAsync<IOException>(() => reading.Within("the read"));
        await Assert.ThrowsAsync<IOException>(() => writing.Within("the write"));
    }

    [Test]
    public async Task Stepped_reads_wait_for_their_permits()
    {
        using FaultyWire wire = Faulty(new FaultPlan { StepReads = true, MaxRead = 1 }, out MemoryWire peer);
        peer.Write(Sent, 0, 3);
        Task<byte[]> reading = wire.ReadExactlyAsync(3);
        wire.AllowReads(2);
        Assert.That(System.Threading.SpinWait.SpinUntil(() => wire.BytesRead == 2, WithinExtensions.Bound));
        Assert.That(reading.IsCompleted, Is.False);
        wire.AllowReads(1);
        Assert.That(await reading, Is.EqualTo(Part(0, 3)));
    }

    private static byte[] Part(int from, int to) => Sent.AsSpan(from, to - from).ToArray();

    private static FaultyWire Faulty(FaultPlan plan, out MemoryWire peer)
    {
        (MemoryWire first, peer) = MemoryWire.CreatePair();
        return new FaultyWire(first, plan);
    }
}
