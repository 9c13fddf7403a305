using System;
using System.IO;
using System.Net.Sockets;
using System.Threading.Tasks;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>The other end of <see cref="ChannelSender"/>: awaits reads of a socket's stream.</summary>
internal sealed class StreamReceiver : IEventReceiver
{
    private readonly Socket _listener;
    private readonly EventSink _sink;
    private Socket? _socket;

    public StreamReceiver(EventSink sink)
    {
        _sink = sink;
        _listener = LocalSocket.Listen(out string path);
        Address = path;
        _ = Task.Run(RunAsync);
    }

    public string Address { get; }

    public string Secret => string.Empty;

    /// <summary>Reads a stream to its end, or until it is disposed.</summary>
    public static async Task ReadAsync(Stream stream, EventSink sink)
    {
        var window = new EventWindow(sink);
        while (await stream.ReadAsync(window.Capacity).ConfigureAwait(false) is int count && count > 0)
        {
            window.Take(count);
        }
    }

    public void Dispose()
    {
        _socket?.Dispose();
        _listener.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            _socket = LocalSocket.Accept(_listener);
            var stream = new NetworkStream(_socket);
            await using (stream.ConfigureAwait(false))
            {
                await ReadAsync(stream, _sink).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or SocketException)
        {
            // Disposed at the end of the scenario; a loss before that shows as events that do not come.
        }
    }
}
