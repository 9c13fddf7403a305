using System.Net.Sockets;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>The other end of <see cref="RawSender"/>: a thread that reads synchronously and decodes into the same objects as every other
/// column.</summary>
internal static class RawReceiver
{
    public static RawListener Listen(EventSink sink) => new("raw receive", socket =>
    {
        var window = new EventWindow(sink);
        while (socket.Receive(window.Capacity.Span) is int count && count > 0)
        {
            window.Take(count);
        }
    });
}
