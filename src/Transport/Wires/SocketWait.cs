using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace Transport;

/// <summary>The wait of one socket for input, used again and again without allocating. One wait at a time; it may end without input.</summary>
internal sealed class SocketWait(int epoll, int descriptor, long number) : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };
    private readonly byte[] _entry = Epoll.Entry(Epoll.Readable | Epoll.OneShot, number);
    private bool _known;
    private int _armed;

    /// <summary>Gets by what the poller knows it.</summary>
    public long Number => number;

    /// <summary>Waits. Not after the poller's Remove.</summary>
    /// <exception cref="IOException">The kernel refuses: it is out of memory, or out of what it allows a user to watch.</exception>
    public ValueTask WaitAsync()
    {
        _core.Reset();
        Volatile.Write(ref _armed, 1);
        if (!Epoll.Control(epoll, _known ? Epoll.Modify : Epoll.Add, descriptor, _entry))
        {
            throw new IOException($"The system does not wait for the socket (epoll_ctl, error {Marshal.GetLastWin32Error()}).");
        }

        _known = true;
        return new ValueTask(this, _core.Version);
    }

    /// <summary>Ends the wait, where there is one; whoever waited goes on, on a thread of the pool.</summary>
    public void Wake()
    {
        if (Interlocked.Exchange(ref _armed, 0) != 0)
        {
            _core.SetResult(true);
        }
    }

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
