using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>How a wire ends: by its own side, by the peer's, in the middle of reads and writes.</summary>
internal abstract partial class WireConformance
{
    [Test]
    public async Task Abort_ends_a_pending_read()
    {
        Task<int> reading = _server.ReadAsync(new byte[10], 0, 10);
        _server.Abort();
        Assert.That(await Failure(reading, "the aborted read"), Is.InstanceOf<IOException>());
    }

    [Test]
    public async Task Abort_ends_a_blocked_write()
    {
        int written = 0;
        Task writing = WireReading.OnThread(() =>
        {
            byte[] piece = new byte[64 << 10];
            for (int i = 0; i < MoreThanFits / piece.Length; i++)
            {
                _client.Write(piece, 0, piece.Length);
                Volatile.Write(ref written, i + 1);
            }
        });
        Stalled.Wait(() => Volatile.Read(ref written));
        _client.Abort();
        Assert.That(await Failure(writing, "the aborted write"), Is.InstanceOf<IOException>());
    }

    [Test]
    public async Task Abort_ends_a_blocked_write_and_a_pending_read_at_once()
    {
        Task<int> reading = _client.ReadAsync(new byte[10], 0, 10);
        Task writing = _client.WriteOnThread(new byte[MoreThanFits]);
        _client.Abort();
        Assert.That(await Failure(reading, "the aborted read"), Is.InstanceOf<IOException>());
        Assert.That(await Failure(writing, "the aborted write"), Is.InstanceOf<IOException>());
    }

    [Test]
    public async Task After_abort_reads_and_writes_fail()
    {
        _server.Write([1], 0, 1);
        _client.Abort();
        Assert.That(await Failure(_client.ReadAsync(new byte[1], 0, 1), "a read after Abort"), Is.InstanceOf<IOException>());
        Assert.That(() => _client.Write([1], 0, 1), Throws.InstanceOf<IOException>());
    }

    [Test]
    public void Ending_twice_is_harmless()
    {
        _client.Shutdown();
        _client.Abort();
        _client.Abort();
        _client.Shutdown();
        _client.Dispose();
        _client.Dispose();
        _client.Abort();
        Assert.That(() => _server.Shutdown(), Throws.Nothing, "the peer is gone already");
    }

    [Test]
    public async Task Abort_from_many_threads_at_once()
    {
        Task<int> reading = _client.ReadAsync(new byte[10], 0, 10);
        var tasks = new Task[8];
        for (int i = 0; i < tasks.Length; i++)
        {
            tasks[i] = WireReading.OnThread(_client.Abort);
        }

        await Task.WhenAll(tasks).Within("eight aborts");
        Assert.That(await Failure(reading, "the aborted read"), Is.InstanceOf<IOException>());
    }

    [Test]
    public async Task A_peer_that_dies_ends_reading_with_zero_or_IOException()
    {
        _server.Write(new byte[1000], 0, 1000); // Unread at the peer: its exit is then a reset on a socket.
        _client.Abort();
        try
        {
            Assert.That(await _server.ReadAsync(new byte[10], 0, 10).Within("the peer's exit"), Is.Zero);
        }
        catch (IOException)
        {
            // The other allowed answer.
        }
    }

    [Test]
    public async Task A_peer_that_dies_fails_writing_with_IOException()
    {
        Task writing = _server.WriteOnThread(new byte[MoreThanFits]);
        _client.Abort();
        Assert.That(await Failure(writing, "the write to an exited peer"), Is.InstanceOf<IOException>());
        Assert.That(() => _server.Write([1], 0, 1), Throws.InstanceOf<IOException>());
    }

    [Test]
    public async Task A_failed_write_does_not_end_reading()
    {
        byte[] sent = WireReading.Pattern(Math.Min(Large, 50_000));
        _client.Write(sent, 0, sent.Length);
        _client.Dispose();
        Assert.That(() => _server.Write(new byte[10], 0, 10), Throws.InstanceOf<IOException>());
        byte[] got = await _server.ReadExactlyAsync(sent.Length);
        Assert.That(got, Is.EqualTo(sent));
    }

    private protected static async Task<Exception?> Failure(Task task, string what)
    {
        try
        {
            await task.Within(what);
            return null;
        }
        catch (Exception e) when (e is not TimeoutException)
        {
            return e;
        }
    }
}
