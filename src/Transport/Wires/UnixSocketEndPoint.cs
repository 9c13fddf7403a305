using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Transport;

/// <summary>A path as a socket address; netstandard2.0 has none, and this one serves every runtime.</summary>
internal sealed class UnixSocketEndPoint : EndPoint
{
    private const int FamilyBytes = 2;
    private readonly string _path;

    public UnixSocketEndPoint(string path) => _path = path;

    public override AddressFamily AddressFamily => AddressFamily.Unix;

    public static Socket NewSocket() => new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);

    public override SocketAddress Serialize()
    {
        byte[] path = Encoding.UTF8.GetBytes(_path);
        var address = new SocketAddress(AddressFamily.Unix, FamilyBytes + path.Length + 1);
        for (int i = 0; i < path.Length; i++)
        {
            address[FamilyBytes + i] = path[i];
        }

        address[FamilyBytes + path.Length] = 0;
        return address;
    }

    // Asked for the peer of an accepted connection, which is never bound to a path.
    public override EndPoint Create(SocketAddress socketAddress) => new UnixSocketEndPoint(string.Empty);

    public override string ToString() => _path;
}
