#if NET
using System;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace Transport.Wires;

/// <summary>Reads from a socket without allocating; every failure is an IOException. One read at a time.</summary>
internal sealed class SocketReader(Socket socket)
{
    private volatile bool _aborted;

    /// <summary>Gets or sets a value indicating whether this side ended the wire: then the end of the stream is not the peer's.</summary>
    public bool Aborted { get => _aborted; set => _aborted = value; }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReadAsync(byte[] buffer, int offset, int count)
    {
        try
        {
            int read = await socket.ReceiveAsync(new Memory<byte>(buffer, offset, count), SocketFlags.None).ConfigureAwait(false);
            return read > 0 || !_aborted ? read : throw WireBroken.Aborted();
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            throw _aborted ? WireBroken.Aborted() : WireBroken.Read(e);
        }
    }
}
#endif
