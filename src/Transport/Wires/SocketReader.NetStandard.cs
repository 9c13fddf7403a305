#if !NET
using System;
using System.Net.Sockets;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace Transport.Wires;

/// <summary>Reads from a socket through one event-args object that is used again and again; every failure is an IOException. One read at a time.</summary>
internal sealed class SocketReader : IValueTaskSource<int>
{
    private readonly Socket _socket;
    private readonly SocketAsyncEventArgs _args = new();
    private ManualResetValueTaskSourceCore<int> _core;
    private volatile bool _aborted;

    public SocketReader(Socket socket)
    {
        _socket = socket;
        _args.Completed += (_, _) => Finish();
    }

    /// <summary>Gets a value indicating whether this side ended the wire: then the end of the stream is not the peer's.</summary>
    public bool Aborted => _aborted;

    /// <summary>Gets a value indicating whether a send on the socket waits where it is full. On Mono it must: a send to a full non-blocking socket spins there for ever.</summary>
    public static bool SendsBlock => true;

    public ValueTask<int> ReadAsync(byte[] buffer, int offset, int count)
    {
        _core.Reset();
        var pending = new ValueTask<int>(this, _core.Version);
        try
        {
            _args.SetBuffer(buffer, offset, count);
            if (!_socket.ReceiveAsync(_args))
            {
                Finish();
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            _core.SetException(WireBroken.Read(e));
        }

        return pending;
    }

    /// <summary>Waits on this thread; -1 where nothing came in time.</summary>
    public int Read(byte[] buffer, int offset, int count, int milliseconds)
    {
        try
        {
            if (!_socket.Poll(milliseconds * 1000, SelectMode.SelectRead))
            {
                return -1;
            }

            int read = _socket.Receive(buffer, offset, count, SocketFlags.None);
            return read > 0 || !_aborted ? read : throw WireBroken.Aborted();
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            throw _aborted ? WireBroken.Aborted() : WireBroken.Read(e);
        }
    }

    /// <summary>This side ends the wire.</summary>
    public void Abort() => _aborted = true;

    public int GetResult(short token) => _core.GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void Finish()
    {
        if (_aborted)
        {
            _core.SetException(WireBroken.Aborted());
        }
        else if (_args.SocketError == SocketError.Success)
        {
            _core.SetResult(_args.BytesTransferred);
        }
        else
        {
            _core.SetException(WireBroken.Read(new SocketException((int)_args.SocketError)));
        }
    }
}
#endif
