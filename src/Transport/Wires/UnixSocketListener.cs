using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;

namespace Transport;

/// <summary>Listens at a path; the socket file has mode 0600 before anyone can connect, and is removed with the listener.</summary>
internal sealed class UnixSocketListener : IWireListener
{
    /// <summary>Connections that wait to be accepted: many workers start at once. The kernel may cap it (net.core.somaxconn).</summary>
    private const int Backlog = 512;

    private const string Advice = "The folder must exist and be writable, and the sandbox, if there is one, allow sockets; a main node "
        + "without an endpoint of its own gives its workers pipes there.";

    private readonly Socket _socket;
    private readonly ListenerPoll _poll;
    private readonly string _path;
    private readonly FileStatus _file;

    private UnixSocketListener(Socket socket, ListenerPoll poll, string path, WireEndpoint endpoint)
    {
        _socket = socket;
        _poll = poll;
        _path = path;
        _ = FileStatus.ReadLink(path, out _file);
        Endpoint = endpoint;
    }

    public WireEndpoint Endpoint { get; }

    public static UnixSocketListener Listen(WireEndpoint endpoint, string path)
    {
        CheckPermission(endpoint, path);
        Socket? socket = null;
        ListenerPoll? poll = null;
        bool isBound = false;
        try
        {
            socket = UnixSocketEndPoint.NewSocket();
            Bind(socket, path);
            isBound = true;
            Errno error = FilePath.TrySetMode(path, FilePath.OwnerOnly);
            if (error != Errno.None)
            {
                throw new IOException(error.Describe());
            }

            Descriptors.KeepFromChildren(socket);
            poll = new ListenerPoll($"at {endpoint}", socket.Dispose);
            socket.Listen(Backlog);
            var listener = new UnixSocketListener(socket, poll, path, endpoint);
            socket = null;   // the listener's
            return listener;
        }
        catch (Exception e) when (e is SocketException or IOException)
        {
            throw new TransportException(
                TransportFault.BadEndpoint,
                $"Cannot listen at {endpoint}: {Reason(e, path)}",
                e,
                IsNotPermitted(e) ? EndpointFaults.NotPermitted : null);
        }
        finally
        {
            if (socket is not null)
            {
                _ = isBound ? FilePath.TryUnlink(path) : Errno.None;
                poll?.Dispose();
                socket.Dispose();
            }
        }
    }

    public void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept)
    {
        _poll.Wait(
            [accept ? (int)_socket.Handle : InputPoll.Ignored], wires.Select(static wire => ((UnixSocketWire)wire).Descriptor), ready);
        if (accept && _poll.IsClosed(0))
        {
            // Nothing would ever wait to be accepted, and no wait would ever wait.
            throw new IOException($"The socket that listens at {Endpoint} was closed by something else in this process.");
        }
    }

    public IWire? TryAccept()
    {
        _poll.Check();
        Socket? accepted = null;
        try
        {
            if (!_socket.Poll(0, SelectMode.SelectRead))
            {
                return null;
            }

            accepted = _socket.Accept();
            bool areFew = Descriptors.AreFew((int)accepted.Handle);
            var wire = new UnixSocketWire(accepted, Endpoint.Kind);
            accepted = null;   // the wire's
            return areFew
                ? throw new DescriptorLimitException(
                    wire, $"A connection to {Endpoint} could not be taken: this process has too few file descriptors left.")
                : wire;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            _poll.Check();
            throw new IOException($"A connection to {Endpoint} could not be accepted: {e.Message}", e);
        }
        finally
        {
            accepted?.Dispose();
        }
    }

    public void Wake() => _poll.Wake();

    /// <summary>Removes the file and stops listening. A <see cref="Wait"/> on another thread ends, and closes the descriptors.</summary>
    public void Dispose() => _poll.Dispose(() =>
    {
        // Unlinked first, so that nobody finds a socket that refuses; and only if it is still the file that was made here.
        if (FileStatus.ReadLink(_path, out FileStatus now) == Errno.None && now.IsSameFileAs(_file))
        {
            _ = FilePath.TryUnlink(_path);
        }
    });

    private static void Bind(Socket socket, string path)
    {
        try
        {
            socket.Bind(new UnixSocketEndPoint(path));
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.AddressAlreadyInUse && IsAbandoned(path))
        {
            _ = FilePath.TryUnlink(path);
            socket.Bind(new UnixSocketEndPoint(path));
        }
    }

    private static bool IsAbandoned(string path) =>
        FileStatus.ReadLink(path, out FileStatus status) == Errno.None && status.Kind == FileKind.Socket && status.User == Libc.geteuid()
        && StaleSockets.NobodyListens(path);

    /// <summary>Looks whether the system lets this process have a socket, and put it there. .NET has no word for EROFS and ENOSYS, and Mono
    /// aborts the process if it gets one of them.</summary>
    private static unsafe void CheckPermission(WireEndpoint endpoint, string path)
    {
        int socket = Libc.socket(Libc.UnixFamily, Libc.StreamSocket, 0);
        Errno error = Libc.ErrorOf(socket);
        FileDescriptor.Close(socket);
        if (error == Errno.None)
        {
            fixed (byte* folder = Libc.PathBytes(Path.GetDirectoryName(path) ?? "/"))
            {
                error = Libc.ErrorOf(Libc.access(folder, Libc.WOk));
            }
        }

        if (EndpointFaults.CodeOf(error) is { } code)
        {
            string message = $"Cannot listen at {endpoint}: {error.Describe()}. {Advice}";
            throw new TransportException(TransportFault.BadEndpoint, message, code: code);
        }
    }

    private static bool IsNotPermitted(Exception e) => e is SocketException { SocketErrorCode: SocketError.AccessDenied };

    private static string Reason(Exception e, string path)
    {
        if (e is SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse })
        {
            return FileStatus.ReadLink(path, out FileStatus status) == Errno.None && status.Kind == FileKind.Socket
                ? "another process listens there. Choose another path."
                : "a file that is no socket is in its place. Choose another path.";
        }

        return $"{e.Message.TrimEnd('.')}. {(IsNotPermitted(e) ? Advice : "The folder must exist and be writable.")}";
    }
}
