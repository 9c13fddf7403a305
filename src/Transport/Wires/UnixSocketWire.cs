using System;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A connected Unix domain socket. Named pipes on Unix are the same thing under another name, so both kinds are this wire there.</summary>
/// <remarks>
/// Writes are synchronous: 1.5 µs each on Mono where an awaited one takes 32, and half the CPU on .NET. What differs between the two
/// runtimes is in <see cref="SocketReader"/>: on .NET the socket is non-blocking and is waited for in the kernel's poll; on Mono it blocks.
/// </remarks>
internal sealed class UnixSocketWire : IDirectWire
{
    private const int Forever = -1;

    private readonly Socket _socket;
    private readonly SocketReader _reader;
    private int _aborted;

    /// <summary>Takes the socket over; it must be connected.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="kind">"unix" or "pipe".</param>
    /// <param name="poller">What waits for input while the wire is idle.</param>
    public UnixSocketWire(Socket socket, string kind, SocketPoller poller)
    {
        Descriptors.Prepare(socket);
        _socket = socket;
        _reader = new SocketReader(socket, poller);
        Kind = kind;
        Peer = PeerCredentials.Of(socket);
    }

    public string Kind { get; }

    public PeerIdentity Peer { get; }

    public ValueTask<int> ReadAsync(byte[] buffer, int offset, int count) => _reader.ReadAsync(buffer, offset, count);

    public int Read(byte[] buffer, int offset, int count, int milliseconds) => _reader.Read(buffer, offset, count, milliseconds);

    public int TryRead(byte[] buffer, int offset, int count) => _reader.TryRead(buffer, offset, count);

    public ValueTask WaitAsync() => _reader.WaitAsync();

    public void Write(byte[] buffer, int offset, int count)
    {
        try
        {
            while (count > 0)
            {
                int sent = Send(buffer, offset, count);
                if (sent == 0)
                {
                    _socket.Poll(Forever, SelectMode.SelectWrite);
                }

                offset += sent;
                count -= sent;
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            throw Broken(e);
        }
    }

    public void CompleteWriting() => Shutdown(SocketShutdown.Send);

    public void Abort()
    {
        if (Interlocked.Exchange(ref _aborted, 1) != 0)
        {
            return;
        }

        _reader.Abort();

        // First the shutdown: it wakes a thread that is blocked in the kernel, whatever the runtime does on closing.
        Shutdown(SocketShutdown.Both);
        _socket.Dispose();
    }

    public void Dispose() => Abort();

    /// <summary>Writes what the system takes now; 0 where that is nothing.</summary>
    private int Send(byte[] buffer, int offset, int count)
    {
        int sent = _socket.Send(buffer, offset, count, SocketFlags.None, out SocketError error);
        return error switch
        {
            SocketError.Success => sent,
            SocketError.WouldBlock => 0,
            _ => throw new SocketException((int)error),
        };
    }

    private IOException Broken(Exception cause) => _reader.Aborted ? WireBroken.Aborted() : WireBroken.Write(cause);

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
