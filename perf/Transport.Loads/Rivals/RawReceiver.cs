using System.Net.Sockets;
using System.Threading;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>The other end of <see cref="RawSender"/>: a thread that reads synchronously and decodes into the same objects as every other column.</summary>
internal sealed class RawReceiver : IEventReceiver
{
    private readonly Socket _listener;
    private readonly EventSink _sink;
    private Socket? _socket;

    public RawReceiver(EventSink sink)
    {
        _sink = sink;
        _listener = LocalSocket.Listen(out string path);
        Address = path;
        new Thread(Run) { IsBackground = true, Name = "raw receive" }.Start();
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
            var window = new EventWindow(_sink);
            while (_socket.Receive(window.Room.Span) is int count && count > 0)
            {
                window.Take(count);
            }
        }
        catch (SocketException)
        {
            // Disposed at the end of the scenario; a loss before that shows as events that do not come.
        }
        catch (System.ObjectDisposedException)
        {
            // The same.
        }
    }
}
