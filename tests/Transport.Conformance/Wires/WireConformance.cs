using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>What every wire must keep: IWire's contract as a reader of it would notice it broken. Subclasses name the wire.</summary>
internal abstract partial class WireConformance
{
    private readonly List<IDisposable> _open = new();
    private WireRig _rig = null!;
    private IWire _server = null!;
    private IWire _client = null!;

    protected abstract string Kind { get; }

    /// <summary>The size of the largest transfer; suites over a slow faulty wire make it smaller.</summary>
    protected virtual int Large => 5_000_000;

    /// <summary>More than any wire holds between two ends that do not read.</summary>
    protected virtual int MoreThanFits => 16 << 20;

    /// <summary>How many bytes of a long stream are looked at; suites over a slow faulty wire look at fewer.</summary>
    protected virtual int LookedAt => MoreThanFits;

    protected virtual IWire Wrap(IWire wire) => wire;

    [SetUp]
    public async Task Connect()
    {
        _rig = WireKinds.Open(Kind);
        (IWire server, IWire client) = await _rig.PairAsync();
        (_server, _client) = (Wrap(server), Wrap(client));
    }

    [TearDown]
    public void Close()
    {
        for (int i = _open.Count - 1; i >= 0; i--)
        {
            _open[i].Dispose();
        }

        _open.Clear();
        _client?.Dispose();
        _server?.Dispose();
        _rig?.Dispose();
    }

    [Test]
    public async Task Bytes_arrive_whole_and_in_order([Values(1, 65_536, 0)] int size, [Values] bool fromServer)
    {
        (IWire from, IWire to) = fromServer ? (_server, _client) : (_client, _server);
        byte[] sent = WireReading.Pattern(size == 0 ? Large : size);
        Task writing = from.WriteOnThread(sent);
        byte[] got = await to.ReadExactlyAsync(sent.Length);
        await writing.Within("the write");
        Assert.That(got.AsSpan().SequenceEqual(sent), "the bytes that arrived are those that were sent");
    }

    [Test]
    public async Task A_read_gives_what_has_arrived_and_does_not_wait_for_more()
    {
        byte[] buffer = new byte[1000];
        Task<int> reading = _server.ReadAsync(buffer, 10, 990);
        _client.Write([1, 2, 3], 0, 3);
        int got = await reading.Within("three bytes");
        Assert.That(got, Is.InRange(1, 3));
        Assert.That(buffer[10], Is.EqualTo(1));
        Assert.That(buffer[9], Is.Zero, "bytes before the offset are left alone");
        Assert.That(buffer[13], Is.Zero, "bytes behind what arrived are left alone");
    }

    [Test]
    public async Task Write_sends_only_its_range()
    {
        byte[] bytes = WireReading.Pattern(100);
        _client.Write(bytes, 20, 30);
        _client.Shutdown();
        byte[] got = await _server.ReadToEndAsync();
        Assert.That(got, Is.EqualTo(bytes.AsSpan(20, 30).ToArray()));
    }

    [Test]
    public async Task After_complete_writing_everything_is_read_then_the_end_again_and_again()
    {
        byte[] sent = WireReading.Pattern(Math.Min(Large, 100_000));
        _client.Write(sent, 0, sent.Length);
        _client.Shutdown();
        Assert.That(await _server.ReadToEndAsync(), Is.EqualTo(sent));
        Assert.That(await _server.ReadAsync(new byte[1], 0, 1).Within("the end once more"), Is.Zero);
    }

    [Test]
    public async Task The_other_direction_lives_on_after_complete_writing()
    {
        _client.Shutdown();
        Assert.That(await _server.ReadToEndAsync(), Is.Empty);
        _server.Write([7, 8], 0, 2);
        _server.Shutdown();
        Assert.That(await _client.ReadToEndAsync(), Is.EqualTo(new byte[] { 7, 8 }));
    }

    [Test]
    public async Task A_pending_read_sees_the_end()
    {
        Task<int> reading = _server.ReadAsync(new byte[10], 0, 10);
        _client.Shutdown();
        Assert.That(await reading.Within("the end"), Is.Zero);
    }

    [Test]
    public async Task What_was_written_before_closing_is_read_to_the_last_byte()
    {
        byte[] sent = WireReading.Pattern(Math.Min(Large, 150_000));
        _client.Write(sent, 0, sent.Length);
        _client.Dispose();
        Assert.That(await _server.ReadToEndAsync(), Is.EqualTo(sent));
    }

    [Test]
    public async Task Both_directions_at_once()
    {
        int size = Math.Min(Large, 3_000_000);
        byte[] there = WireReading.Pattern(size, seed: 1);
        byte[] back = WireReading.Pattern(size, seed: 2);
        Task writeThere = _client.WriteOnThread(there);
        Task writeBack = _server.WriteOnThread(back);
        Task<byte[]> gotThere = _server.ReadExactlyAsync(size);
        Task<byte[]> gotBack = _client.ReadExactlyAsync(size);
        await Task.WhenAll(writeThere, writeBack).Within("both writes");
        Assert.That((await gotThere).AsSpan().SequenceEqual(there), "client to server");
        Assert.That((await gotBack).AsSpan().SequenceEqual(back), "server to client");
    }

    [Test]
    public async Task A_write_blocks_until_the_peer_reads_and_the_buffer_is_free_when_it_returns()
    {
        const int Piece = 64 << 10;
        int pieces = MoreThanFits / Piece;
        byte[] reused = new byte[Piece];
        int written = 0;
        Task writing = WireReading.OnThread(() =>
        {
            for (int i = 0; i < pieces; i++)
            {
                WireReading.Pattern(Piece, seed: i).CopyTo(reused, 0);
                _client.Write(reused, 0, Piece);
                Volatile.Write(ref written, i + 1);
            }

        });

        Stalled.Wait(() => Volatile.Read(ref written));
        Assert.That(written, Is.LessThan(pieces), "the writer is held up by the reader");
        for (int i = 0; i < LookedAt / Piece; i++)
        {
            byte[] got = await _server.ReadExactlyAsync(Piece);
            Assert.That(got.AsSpan().SequenceEqual(WireReading.Pattern(Piece, seed: i)), $"piece {i} is as it was when it was written");
        }

        if (LookedAt == MoreThanFits)
        {
            await writing.Within("the writer, once everything is read");
        }
    }

    [Test]
    public void The_peer_is_the_current_user()
    {
        if (Kind == WireKinds.Inherited)
        {
            Assert.That((_client.Peer.IsInherited, _client.Peer.IsCurrentUser, _client.Peer.UserId, _client.Peer.ProcessId),
                Is.EqualTo((true, false, (int?)null, (int?)null)), "the system says nothing, so nothing is claimed");
            return;
        }

        Assert.That(_server.Peer.IsCurrentUser);
        Assert.That(_client.Peer.IsCurrentUser);
        Assert.That(_server.Kind, Is.EqualTo(WireKinds.Of(Kind)));
        if (Kind != WireKinds.Memory && Environment.OSVersion.Platform == PlatformID.Unix && File.Exists("/proc/self/stat"))
        {
            using var self = System.Diagnostics.Process.GetCurrentProcess();
            Assert.That(_server.Peer.ProcessId, Is.EqualTo(self.Id));
            Assert.That(_server.Peer.UserId, Is.EqualTo(_client.Peer.UserId));
            Assert.That(_server.Peer.GroupId, Is.Not.Null);
        }
    }

    private T Keep<T>(T item)
        where T : IDisposable
    {
        _open.Add(item);
        return item;
    }
}
