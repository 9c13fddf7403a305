using System;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Reads from a socket without allocating; every failure is an IOException. One read or wait at a time.</summary>
/// <remarks>
/// Waits without a thread go through <see cref="SocketPoller"/>; what the runtime would do instead is used only where there is no epoll.
/// On .NET the socket is non-blocking: a read that finds nothing says so in one system call. On Mono it must block, because a send to a
/// full non-blocking socket spins there for ever.
/// </remarks>
internal sealed class SocketReader
{
    private readonly Socket _socket;
    private readonly SocketPoller _poller;
    private readonly object _gate = new();
    private SocketWait? _wait;
    private bool _waited;
    private volatile bool _aborted;

    public SocketReader(Socket socket, SocketPoller poller)
    {
        _socket = socket;
        _poller = poller;
        socket.Blocking = SendsBlock;
    }

    /// <summary>Gets a value indicating whether a send on the socket waits where it is full.</summary>
#if NET
    public static bool SendsBlock => false;
#else
    public static bool SendsBlock => true;
#endif

    /// <summary>Gets a value indicating whether this side ended the wire: then the end of the stream is not the peer's.</summary>
    public bool Aborted => _aborted;

    public async ValueTask<int> ReadAsync(byte[] buffer, int offset, int count)
    {
        int read = TryRead(buffer, offset, count);
        while (read < 0)
        {
            await WaitAsync().ConfigureAwait(false);
            read = TryRead(buffer, offset, count);
        }

        return read;
    }

    /// <summary>Waits for input, the stream's end or a failure; may end before there is any.</summary>
    public ValueTask WaitAsync()
    {
        lock (_gate)
        {
            if (_aborted)
            {
                throw WireBroken.Aborted();
            }

            _wait ??= _poller.TryAdd((int)_socket.Handle);
            if (_wait is not null)
            {
                return _wait.WaitAsync();
            }
        }

        return WaitByRuntimeAsync();
    }

    /// <summary>Waits on this thread; -1 where nothing came in time.</summary>
    public int Read(byte[] buffer, int offset, int count, int milliseconds)
    {
        // A stream that keeps coming is read at the first try; one that had to be waited for will have to be again.
        int read = _waited ? -1 : TryRead(buffer, offset, count);
        if (read < 0)
        {
            _waited = true;
            read = IsReadable(milliseconds * 1000) ? Receive(buffer, offset, count) : -1;
        }

        _waited &= read < count / 2;
        return read;
    }

    /// <summary>Takes what is there; -1 where nothing is.</summary>
    public int TryRead(byte[] buffer, int offset, int count) => SendsBlock && !IsReadable(0) ? -1 : Receive(buffer, offset, count);

    /// <summary>This side ends the wire: a wait ends at once, a read that blocks when the socket is shut down, which comes next.</summary>
    public void Abort()
    {
        lock (_gate)
        {
            _aborted = true;
            if (_wait is not null)
            {
                _poller.Remove(_wait);
            }
        }
    }

    private async ValueTask WaitByRuntimeAsync()
    {
        try
        {
#if NET
            await _socket.ReceiveAsync(Memory<byte>.Empty, SocketFlags.None).ConfigureAwait(false);
#else
            await Task.Run(() => _socket.Poll(Timeout.Infinite, SelectMode.SelectRead)).ConfigureAwait(false);
#endif
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            throw Broken(e);
        }
    }

    private bool IsReadable(int microseconds)
    {
        try
        {
            return _socket.Poll(microseconds, SelectMode.SelectRead);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            throw Broken(e);
        }
    }

    private int Receive(byte[] buffer, int offset, int count)
    {
        int read;
        SocketError error;
        try
        {
            read = _socket.Receive(buffer, offset, count, SocketFlags.None, out error);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            throw Broken(e);
        }

        return error switch
        {
            SocketError.Success when read > 0 || !_aborted => read,
            SocketError.WouldBlock => -1,
            _ => throw Broken(new SocketException((int)error)),
        };
    }

    private IOException Broken(Exception cause) => _aborted ? WireBroken.Aborted() : WireBroken.Read(cause);
}
