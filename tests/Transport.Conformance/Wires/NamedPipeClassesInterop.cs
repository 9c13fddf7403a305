using System.IO.Pipes;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>A wire of kind "pipe" meets .NET's named pipe classes at the other end, by path and by name.</summary>
[TestFixture]
public sealed class NamedPipeClassesInterop
{
    [Test]
    public async Task A_frameworks_client_connects_to_our_listener([Values] bool byPath)
    {
        using var folder = new TestFolder();
        string name = byPath && !SocketPath.IsWindows ? folder.Path + "/p" : "transport-test-" + System.Guid.NewGuid().ToString("N");
        using IWireListener listener = WireFactory.Listen(new WireEndpoint(WireKind.NamedPipe, name));
        Task<IWire> accepting = listener.AcceptAsync();
        using var client = new NamedPipeClientStream(".", name, PipeDirection.InOut, PipeOptions.None);
        await Task.Run(() => client.Connect((int)WithinExtensions.Bound.TotalMilliseconds)).Within("the framework's client");
        using IWire server = await accepting.Within("the connection");
        client.Write([1, 2, 3], 0, 3);
        Assert.That(await server.ReadExactlyAsync(3), Is.EqualTo(new byte[] { 1, 2, 3 }));
        server.Write([4, 5], 0, 2);
        Assert.That(new[] { client.ReadByte(), client.ReadByte() }, Is.EqualTo(new[] { 4, 5 }));
        server.Dispose();
        Assert.That(client.ReadByte(), Is.EqualTo(-1));
    }

    [Test]
    public async Task Our_client_connects_to_a_frameworks_server([Values] bool byPath)
    {
        using var folder = new TestFolder();
        string name = byPath && !SocketPath.IsWindows ? folder.Path + "/p" : "transport-test-" + System.Guid.NewGuid().ToString("N");
        using var server = new NamedPipeServerStream(name, PipeDirection.InOut, 1, PipeTransmissionMode.Byte, PipeOptions.Asynchronous);
        Task waiting = Task.Run(server.WaitForConnection);
        var endpoint = new WireEndpoint(WireKind.NamedPipe, name);
        using IWire client = await WireFactory.ConnectAsync(endpoint, WithinExtensions.Bound, []).Within("our client");
        await waiting.Within("the framework's server");
        Assert.That(client.Peer.IsCurrentUser);
        client.Write([1, 2, 3], 0, 3);
        client.Shutdown();
        Assert.That(new[] { server.ReadByte(), server.ReadByte(), server.ReadByte() }, Is.EqualTo(new[] { 1, 2, 3 }));
        server.Write([9], 0, 1);
        Assert.That(await client.ReadExactlyAsync(1), Is.EqualTo(new byte[] { 9 }));
    }
}
