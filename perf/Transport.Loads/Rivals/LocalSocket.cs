using System.Net.Sockets;
using Transport.Loads.Scratch;

namespace Transport.Loads.Rivals;

/// <summary>Unix sockets for the rivals, with the kernel buffers that serve them best (1 MiB, as the library's own and the C
/// floor's).</summary>
internal static class LocalSocket
{
    public const int KernelBuffer = 1 << 20;

    /// <summary>Listens at a new path.</summary>
    public static Socket Listen(out string path)
    {
        path = ScratchPath.New("socket");
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(path));
        socket.Listen(1);
        return socket;
    }

    /// <summary>Waits for the one connection and removes the path.</summary>
    public static Socket Accept(Socket listener)
    {
        Socket socket = listener.Accept();
        socket.SendBufferSize = KernelBuffer;
        listener.Dispose();
        return socket;
    }

    public static Socket Connect(string path)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { SendBufferSize = KernelBuffer };
        socket.Connect(new UnixDomainSocketEndPoint(path));
        return socket;
    }
}
