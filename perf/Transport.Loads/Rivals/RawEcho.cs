using System.Net.Sockets;
using System.Threading;

namespace Transport.Loads.Rivals;

/// <summary>Sends back whatever comes over a bare socket, synchronously on a thread of its own.</summary>
internal sealed class RawEcho : IEventReceiver
{
    private readonly Socket _listener;
    private Socket? _socket;

    public RawEcho()
    {
        _listener = LocalSocket.Listen(out string path);
        Address = path;
        new Thread(Run) { IsBackground = true, Name = "raw echo" }.Start();
    }

    public string Address { get; }

    public string Secret => string.Empty;

    public void Dispose()
    {
        _socket?.Dispose();
        _listener.Dispose();
    }

    private void Run()
    {
        try
        {
            _socket = LocalSocket.Accept(_listener);
            var buffer = new byte[4096];
            while (_socket.Receive(buffer) is int count && count > 0)
            {
                _socket.Send(buffer, 0, count, SocketFlags.None);
            }
        }
        catch (SocketException)
        {
            // Disposed at the end of the scenario.
        }
        catch (System.ObjectDisposedException)
        {
            // The same.
        }
    }
}
