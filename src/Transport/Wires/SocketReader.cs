#if NET
using System;
using System.IO;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading.Tasks;
using Mono.Unix.Native;

namespace Transport.Wires;

/// <summary>Reads from a socket without allocating; every failure is an IOException. One read at a time.</summary>
/// <remarks>
/// The runtime's poller, once it knows a socket, is woken by everything that happens to it, for as long as it is open: a context switch a
/// packet on each side. So it gets to know the socket only when a read must wait without a thread, and then through a duplicate of the
/// descriptor; the socket itself is non-blocking, and a send that finds it full waits in the kernel, not for the poller. (Closing the
/// duplicate would not end it: the poller knows the open file, which the two share.)
/// </remarks>
internal sealed class SocketReader
{
    private const int DuplicateForThisProcess = 1030;   // F_DUPFD_CLOEXEC of Linux

    private readonly Socket _socket;
    private readonly object _gate = new();
    private Socket? _bell;
    private bool _waited;
    private volatile bool _aborted;

    public SocketReader(Socket socket)
    {
        _socket = socket;
        socket.Blocking = false;
    }

    /// <summary>Gets a value indicating whether this side ended the wire: then the end of the stream is not the peer's.</summary>
    public bool Aborted => _aborted;

    /// <summary>Gets a value indicating whether a send on the socket waits where it is full.</summary>
    public static bool SendsBlock => false;

    public ValueTask<int> ReadAsync(byte[] buffer, int offset, int count)
    {
        int read;
        try
        {
            read = Receive(buffer, offset, count);
        }
        catch (IOException broken)
        {
            return ValueTask.FromException<int>(broken);
        }

        return read >= 0 ? new ValueTask<int>(read) : WaitAndReadAsync(buffer, offset, count);
    }

    /// <summary>Waits on this thread; -1 where nothing came in time.</summary>
    public int Read(byte[] buffer, int offset, int count, int milliseconds)
    {
        // A stream that keeps coming is read at the first try; one that had to be waited for will have to be again.
        int read = _waited ? -1 : Receive(buffer, offset, count);
        if (read < 0)
        {
            _waited = true;
            try
            {
                read = _socket.Poll(milliseconds * 1000, SelectMode.SelectRead) ? Receive(buffer, offset, count) : -1;
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                throw Broken(e);
            }
        }

        _waited &= read < count / 2;
        return read;
    }

    /// <summary>This side ends the wire: a read that waits ends soon, because the socket is shut down too.</summary>
    public void Abort()
    {
        lock (_gate)
        {
            _aborted = true;
            _bell?.Dispose();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> WaitAndReadAsync(byte[] buffer, int offset, int count)
    {
        int read = -1;
        while (read < 0)
        {
            try
            {
                // Nothing is received: the runtime only tells when there is something.
                await Bell().ReceiveAsync(Memory<byte>.Empty, SocketFlags.None).ConfigureAwait(false);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
            {
                throw Broken(e);
            }

            read = Receive(buffer, offset, count);
        }

        return read;
    }

    /// <summary>Takes what is there; -1 where nothing is.</summary>
    private int Receive(byte[] buffer, int offset, int count)
    {
        int read;
        SocketError error;
        try
        {
            read = _socket.Receive(new Span<byte>(buffer, offset, count), SocketFlags.None, out error);
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

    private Socket Bell()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_aborted, this);
            if (_bell is null)
            {
                int copy = OperatingSystem.IsLinux() ? DuplicateDescriptor((int)_socket.Handle, DuplicateForThisProcess, 0) : Syscall.dup((int)_socket.Handle);
                _bell = copy >= 0 ? new Socket(new SafeSocketHandle(copy, ownsHandle: true)) : throw new SocketException((int)SocketError.TooManyOpenSockets);
                Descriptors.KeepFromChildren(_bell);
            }

            return _bell;
        }
    }

    // In one step, so that a child that another thread starts meanwhile does not inherit it. Variadic in C, which only Linux calls as it is declared here.
    [DllImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int DuplicateDescriptor(int descriptor, int command, int least);
}
#endif
