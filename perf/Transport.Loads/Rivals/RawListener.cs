using System;
using System.Net.Sockets;
using System.Threading;

namespace Transport.Loads.Rivals;

/// <summary>The listening end of a bare socket: takes one connection, and serves it synchronously on a thread of its own.</summary>
internal sealed class RawListener : IEventReceiver
{
    private readonly Socket _listener;
    private readonly Action<Socket> _serve;
    private Socket? _socket;

    /// <summary>Initializes a new instance of the <see cref="RawListener"/> class and listens.</summary>
    /// <param name="name">The thread's name.</param>
    /// <param name="serve">Reads the connection to its end.</param>
    public RawListener(string name, Action<Socket> serve)
    {
        _serve = serve;
        _listener = LocalSocket.Listen(out string path);
        Address = path;
        new Thread(Run) { IsBackground = true, Name = name }.Start();
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
            _serve(_socket);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Disposed at the end of the scenario; a loss before that shows as packets that do not come.
        }
    }
}
