using System.Net.Sockets;

namespace Transport.Loads.Rivals;

/// <summary>Sends back whatever comes over a bare socket, synchronously on a thread of its own.</summary>
internal static class RawEcho
{
    public static RawListener Listen() => new("raw echo", socket =>
    {
        var buffer = new byte[4096];
        while (socket.Receive(buffer) is int count && count > 0)
        {
            socket.Send(buffer, 0, count, SocketFlags.None);
        }
    });
}
