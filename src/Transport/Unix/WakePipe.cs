using System;

namespace Transport;

/// <summary>A pipe that wakes a thread which waits in poll(2). Signals that nobody has taken yet count as one.</summary>
/// <remarks>Any thread may signal. Dispose only after the last signal: the number may be another file's by then.</remarks>
internal sealed class WakePipe : IDisposable
{
    private readonly int _writeEnd;
    private bool _isDisposed;

    private WakePipe(int readEnd, int writeEnd)
    {
        ReadEnd = readEnd;
        _writeEnd = writeEnd;
    }

    /// <summary>Gets the descriptor to wait for: it has input once there was a signal.</summary>
    public int ReadEnd { get; }

    /// <summary>Creates a pipe whose ends do not block.</summary>
    /// <param name="pipe">The pipe; null if it failed, most likely because no descriptor is left.</param>
    public static Errno TryCreate(out WakePipe? pipe)
    {
        pipe = null;
        Errno error = FileDescriptor.TryCreatePipe(out int read, out int write);
        if (error != Errno.None)
        {
            return error;
        }

        error = FileDescriptor.TrySetNonBlocking(read);
        error = error == Errno.None ? FileDescriptor.TrySetNonBlocking(write) : error;
        if (error != Errno.None)
        {
            FileDescriptor.Close(read);
            FileDescriptor.Close(write);
            return error;
        }

        pipe = new WakePipe(read, write);
        return Errno.None;
    }

    /// <summary>Wakes the thread. Never blocks: a full pipe wakes as well.</summary>
    public void Signal() => _ = FileDescriptor.TryWriteAll(_writeEnd, [1]);

    /// <summary>Takes all signals.</summary>
    public void Reset()
    {
        Span<byte> taken = stackalloc byte[64];
        while (FileDescriptor.TryRead(ReadEnd, taken, out int count) == Errno.None && count > 0)
        {
        }
    }

    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            FileDescriptor.Close(ReadEnd);
            FileDescriptor.Close(_writeEnd);
        }
    }
}
