using System;
using System.Globalization;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Mono.Unix.Native;

namespace Transport;

/// <summary>Listens at a path; the socket file has mode 0600 before anyone can connect, and goes when the listener does.</summary>
internal sealed class UnixSocketListener : IWireListener
{
    /// <summary>Connections that wait to be accepted: many workers start at once. The kernel may cap it (net.core.somaxconn).</summary>
    private const int Backlog = 512;

    private readonly SocketPoller _poller = new();
    private readonly Socket _socket;
    private readonly string _path;
    private readonly Stat _file;
    private int _disposed;

    private UnixSocketListener(Socket socket, string path, WireEndpoint endpoint)
    {
        _socket = socket;
        _path = path;
        _ = UnixFolder.TryLook(path, out _file);
        Endpoint = endpoint;
    }

    public WireEndpoint Endpoint { get; }

    public static UnixSocketListener Listen(WireEndpoint endpoint, string path)
    {
        Socket socket = UnixSocketEndPoint.NewSocket();
        try
        {
            Bind(socket, path);
            if (Syscall.chmod(path, FilePermissions.S_IRUSR | FilePermissions.S_IWUSR) != 0)
            {
                throw new IOException(Stdlib.strerror(Stdlib.GetLastError()));
            }

            Descriptors.KeepFromChildren(socket);
            var listener = new UnixSocketListener(socket, path, endpoint);
            socket.Listen(Backlog);
            return listener;
        }
        catch (Exception e) when (e is SocketException or IOException)
        {
            socket.Dispose();
            throw new TransportException(TransportFault.BadEndpoint, $"Cannot listen at {endpoint}: {Reason(e, path)}", e);
        }
    }

    public async ValueTask<IWire> AcceptAsync()
    {
        Socket? accepted = null;
        try
        {
            ThrowIfDisposed();
            accepted = await _socket.AcceptAsync().ConfigureAwait(false);
            ThrowIfDisposed();
            var wire = new UnixSocketWire(accepted, Endpoint.Kind, _poller);
            return Descriptors.AreFew(accepted)
                ? throw new DescriptorLimitException(wire, $"A connection to {Endpoint} could not be taken: this process has too few file descriptors left.")
                : wire;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException or InvalidOperationException)
        {
            accepted?.Dispose();
            ThrowIfDisposed();
            throw new IOException($"A connection to {Endpoint} could not be accepted: {e.Message}", e);
        }
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        // Unlinked first, so that nobody finds a socket that refuses; and only where it is still the file we made.
        if (UnixFolder.TryLook(_path, out Stat now) && now.st_ino == _file.st_ino && now.st_dev == _file.st_dev)
        {
            _ = Syscall.unlink(_path);
        }

        _socket.Dispose();
    }

    private static void Bind(Socket socket, string path)
    {
        try
        {
            socket.Bind(new UnixSocketEndPoint(path));
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.AddressAlreadyInUse && IsAbandoned(path))
        {
            _ = Syscall.unlink(path);
            socket.Bind(new UnixSocketEndPoint(path));
        }
    }

    private static bool IsAbandoned(string path) =>
        UnixFolder.TryLook(path, out Stat stat) && UnixFolder.IsSocket(stat) && stat.st_uid == Syscall.geteuid() && StaleSockets.NobodyListens(path);

    private static string Reason(Exception e, string path)
    {
        if (e is SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse })
        {
            return UnixFolder.TryLook(path, out Stat stat) && UnixFolder.IsSocket(stat)
                ? "another process listens there. Choose another path."
                : "a file that is no socket is in its place. Choose another path.";
        }

        return string.Format(CultureInfo.InvariantCulture, "{0}. The folder must exist and be writable.", e.Message.TrimEnd('.'));
    }

    private void ThrowIfDisposed()
    {
        if (Volatile.Read(ref _disposed) != 0)
        {
            throw new ObjectDisposedException(nameof(IWireListener), $"The listener at {Endpoint} was disposed.");
        }
    }
}
