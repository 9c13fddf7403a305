using System;
using System.IO;
using System.Net.Sockets;
using System.Threading.Tasks;
using Transport.Loads.Rivals;
using Transport.Loads.Scratch;

namespace Transport.Rivals.Peers;

/// <summary>A Unix socket that takes senders, each given to a task of its own. With the kernel buffers that serve best.</summary>
internal sealed class SocketReceiver : IPeerReceiver
{
    private readonly string _path = ScratchPath.New("socket");
    private readonly Socket _listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
    private readonly Func<Stream, Task> _serve;

    public SocketReceiver(Func<Stream, Task> serve)
    {
        _serve = serve;
        _listener.Bind(new UnixDomainSocketEndPoint(_path));
        _listener.Listen(PeerSink.Senders);
        _ = Task.Run(AcceptAsync);
    }

    public static Stream Connect(string path) => new NetworkStream(LocalSocket.Connect(path), ownsSocket: true);

    public string AddressFor(int sender) => _path + " -";

    public void Dispose() => _listener.Dispose();

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                Socket socket = await _listener.AcceptAsync().ConfigureAwait(false);
                socket.SendBufferSize = LocalSocket.KernelBuffer;
                _ = _serve(new NetworkStream(socket, ownsSocket: true));
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Disposed.
        }
    }
}
