using System;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Wires;

/// <summary>A connected Unix domain socket. Named pipes on Unix are the same thing under another name, so both kinds are this wire there.</summary>
/// <remarks>
/// Writes are synchronous: 1.5 µs each on Mono where an awaited one takes 32, and half the CPU on .NET. The socket is never
/// set to non-blocking: on Mono a send to a full one spins for ever.
/// </remarks>
internal sealed class UnixSocketWire : IWire
{
    private readonly Socket _socket;
    private readonly SocketReader _reader;
    private int _aborted;

    /// <summary>Takes the socket over; it must be connected.</summary>
    public UnixSocketWire(Socket socket, string kind)
    {
        Descriptors.Prepare(socket);
        _socket = socket;
        _reader = new SocketReader(socket);
        Kind = kind;
        Peer = PeerCredentials.Of(socket);
    }

    public string Kind { get; }

    public PeerIdentity Peer { get; }

    public ValueTask<int> ReadAsync(byte[] buffer, int offset, int count) => _reader.ReadAsync(buffer, offset, count);

    public void Write(byte[] buffer, int offset, int count)
    {
        try
        {
            while (count > 0)
            {
                int sent = _socket.Send(buffer, offset, count, SocketFlags.None);
                offset += sent;
                count -= sent;
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            throw _reader.Aborted ? WireBroken.Aborted() : WireBroken.Write(e);
        }
    }

    public void CompleteWriting() => Shutdown(SocketShutdown.Send);

    public void Abort()
    {
        if (Interlocked.Exchange(ref _aborted, 1) != 0)
        {
            return;
        }

        _reader.Aborted = true;

        // First the shutdown: it wakes a thread that is blocked in the kernel, whatever the runtime does on closing.
        Shutdown(SocketShutdown.Both);
        _socket.Dispose();
    }

    public void Dispose() => Abort();

    private void Shutdown(SocketShutdown how)
    {
        try
        {
            _socket.Shutdown(how);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The peer was faster: what should end has ended.
        }
    }
}
