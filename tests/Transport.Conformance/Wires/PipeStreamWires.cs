using System;
using System.IO;
using System.IO.Pipes;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>The wire over .NET's pipe streams, which is Windows' own; here it is run over the same classes wherever the tests
/// run.</summary>
[TestFixture]
[Platform(Exclude = "Mono", Reason = "Mono never uses this wire: its pipe server does not end a pending accept when disposed.")]
public sealed class PipeStreamWires
{
    private TestFolder _folder = null!;
    private PipeStreamListener _listener = null!;
    private IWire _server = null!;
    private IWire _client = null!;

    [SetUp]
    public async Task Connect()
    {
        _folder = new TestFolder();
        string name = SocketPath.IsWindows ? "transport-test-" + Guid.NewGuid().ToString("N") : _folder.Path + "/p";
        _listener = new PipeStreamListener(new WireEndpoint(WireKind.NamedPipe, name));
        (_server, _client) = await PairAsync();
    }

    [TearDown]
    public void Close()
    {
        _client?.Dispose();
        _server?.Dispose();
        _listener?.Dispose();
        _folder?.Dispose();
    }

    [Test]
    public async Task Both_directions_at_once()
    {
        byte[] there = WireReading.Pattern(3_000_000, seed: 1);
        byte[] back = WireReading.Pattern(3_000_000, seed: 2);
        Task writing = Task.WhenAll(_client.WriteOnThread(there), _server.WriteOnThread(back));
        Task<byte[]> gotThere = _server.ReadExactlyAsync(there.Length);
        Task<byte[]> gotBack = _client.ReadExactlyAsync(back.Length);
        Assert.That((await gotThere).AsSpan().SequenceEqual(there), "client to server");
        Assert.That((await gotBack).AsSpan().SequenceEqual(back), "server to client");
        await writing.Within("both writes");
    }

    [Test]
    public async Task What_was_written_before_closing_is_read()
    {
        byte[] sent = WireReading.Pattern(50_000);
        _client.Write(sent, 0, sent.Length);
        _client.Shutdown();
        _client.Dispose();
        Assert.That(await _server.ReadToEndAsync(), Is.EqualTo(sent));
        Assert.That(() => _server.Write(new byte[1], 0, 1), Throws.InstanceOf<IOException>());
    }

    [Test]
    public async Task Abort_ends_a_pending_read()
    {
        Task<int> reading = _server.ReadAsync(new byte[10], 0, 10);
        _server.Abort();
        await Assert.ThrowsAsync<IOException>(() => reading.Within("the aborted read"));
        Assert.That(() => _server.Write(new byte[1], 0, 1), Throws.InstanceOf<IOException>());
    }

    [Test]
    public async Task Abort_ends_a_blocked_write()
    {
        Task writing = _client.WriteOnThread(new byte[16 << 20]);
        Assert.That(await _server.ReadExactlyAsync(1), Has.Length.EqualTo(1), "the write is under way");
        _client.Abort();
        await Assert.ThrowsAsync<IOException>(() => writing.Within("the aborted write"));
    }

    [Test]
    public async Task The_listener_takes_one_after_another_and_ends_when_disposed()
    {
        for (int i = 0; i < 3; i++)
        {
            (IWire server, IWire client) = await PairAsync();
            using (server)
            using (client)
            {
                Assert.That(server.Peer.IsCurrentUser);
            }
        }

        Task<IWire> accepting = _listener.AcceptAsync();
        _listener.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => accepting.Within("the pending accept"));
    }

    [Test]
    public async Task A_peer_that_does_not_read_holds_up_neither_the_caller_nor_the_end()
    {
        string name = SocketPath.IsWindows ? "transport-test-" + Guid.NewGuid().ToString("N") : _folder.Path + "/d";
        using var free = new ManualResetEventSlim();
        using var client = new NamedPipeClientStream(".", name, PipeDirection.InOut, PipeOptions.Asynchronous);
        var server = new NamedPipeServerStream(name, PipeDirection.InOut, 1, PipeTransmissionMode.Byte, PipeOptions.Asynchronous);
        await Task.WhenAll(server.WaitForConnectionAsync(), client.ConnectAsync()).Within("the connection");

        // On Windows a drain waits in the kernel; elsewhere there is none, so the test brings one.
        var self = new PeerIdentity { IsCurrentUser = true };
        var wire = new PipeStreamWire(server, self, () => free.Wait(WithinExtensions.Bound + WithinExtensions.Bound));
        try
        {
            Task<int> reading = wire.ReadAsync(new byte[10], 0, 10);
            wire.Write([1, 2, 3], 0, 3);
            await WireReading.OnThread(wire.Shutdown).Within("the shutdown");
            await WireReading.OnThread(wire.Dispose).Within("the end");
            await Assert.ThrowsAsync<IOException>(() => reading.Within("the aborted read"));
            byte[] got = new byte[4];
            Assert.That(await client.ReadAsync(got, 0, 4).Within("what was written"), Is.EqualTo(3));
            Assert.That(await client.ReadAsync(got, 0, 4).Within("the end of the stream"), Is.Zero);
        }
        finally
        {
            free.Set();
        }
    }

    private async Task<(IWire Server, IWire Client)> PairAsync()
    {
        Task<IWire> accepting = _listener.AcceptAsync();
        IWire client = await PipeStreamListener.ConnectAsync(_listener.Endpoint, WithinExtensions.Bound, default).Within("the client");
        return (await accepting.Within("the connection"), client);
    }
}
