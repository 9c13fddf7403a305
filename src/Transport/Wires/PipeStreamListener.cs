using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Pipes;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Listens at a named pipe through .NET's own streams. Always keeps one instance waiting, so that no client finds the name
/// missing.</summary>
internal sealed class PipeStreamListener : IWireListener
{
    /// <summary>The flag's number: netstandard2.0 does not name it, every runtime since .NET Core 2.0 honours it.</summary>
    private const PipeOptions CurrentUserOnly = (PipeOptions)0x20000000;
    private const PipeOptions Options = PipeOptions.Asynchronous | CurrentUserOnly;
    private const int KernelBuffer = 1 << 20;

    /// <summary>What CurrentUserOnly has checked before a connection is handed over; Windows has no user numbers.</summary>
    private static readonly PeerIdentity SameUser = new() { IsCurrentUser = true };

    private readonly object _gate = new();
    private NamedPipeServerStream? _waiting;   // under the lock, with the next three
    private Task? _connection;                 // of the instance that waits
    private TaskCompletionSource<bool> _wakeup = NewWakeup();
    private bool _isDisposed;

    public PipeStreamListener(WireEndpoint endpoint)
    {
        Endpoint = endpoint;
        try
        {
            _waiting = NewInstance();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransportException(TransportFault.BadEndpoint, $"Cannot listen at {endpoint}: {e.Message}", e);
        }
    }

    public WireEndpoint Endpoint { get; }

    public static async Task<IWire> ConnectAsync(WireEndpoint endpoint, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var client = new NamedPipeClientStream(".", endpoint.Address, PipeDirection.InOut, Options);
        try
        {
            await client.ConnectAsync((int)timeout.TotalMilliseconds, cancellationToken).ConfigureAwait(false);
            return new PipeStreamWire(client, SameUser, DrainOf(client));
        }
        catch (Exception e)
        {
            client.Dispose();
            if (e is not (IOException or TimeoutException or UnauthorizedAccessException))
            {
                throw;
            }

            throw new TransportException(TransportFault.ConnectFailed, $"Cannot connect to {endpoint}: {e.Message}", e);
        }
    }

    public void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept)
    {
        var tasks = new Task[wires.Count + 2];
        lock (_gate)
        {
            tasks[0] = _wakeup.Task;
            tasks[1] = accept ? Connection() : tasks[0];
        }

        for (int i = 0; i < wires.Count; i++)
        {
            tasks[i + 2] = ((PipeStreamWire)wires[i]).WhenReadable();
        }

        _ = Task.WaitAny(tasks);
        lock (_gate)
        {
            if (_wakeup.Task.IsCompleted)
            {
                _wakeup = NewWakeup();
            }
        }

        for (int i = 0; i < wires.Count; i++)
        {
            if (tasks[i + 2].IsCompleted)
            {
                ready.Add(i);
            }
        }
    }

    public IWire? TryAccept()
    {
        NamedPipeServerStream? instance;
        lock (_gate)
        {
            Task connection = Connection();
            if (!connection.IsCompleted)
            {
                return null;
            }

            // The next instance first, then this one goes: the name never vanishes in between. If making one fails (handles used up), the
            // next call tries again.
            instance = _waiting;
            _waiting = null;
            _connection = null;
            try
            {
                _waiting = NewInstance();
                connection.GetAwaiter().GetResult();
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException
                or OperationCanceledException
                or InvalidOperationException)
            {
                instance?.Dispose();
                throw new IOException($"A connection to {Endpoint} could not be accepted: {e.Message}", e);
            }
        }

        return new PipeStreamWire(instance!, SameUser, DrainOf(instance!));
    }

    public void Wake()
    {
        lock (_gate)
        {
            _wakeup.TrySetResult(true);
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _waiting?.Dispose();
            _wakeup.TrySetResult(true);
        }
    }

#pragma warning disable CA1416 // Guarded by IsWindows, which the analyzer does not know.
    private static Action? DrainOf(PipeStream stream) => SocketPath.IsWindows ? stream.WaitForPipeDrain : null;
#pragma warning restore CA1416

    private static TaskCompletionSource<bool> NewWakeup() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private NamedPipeServerStream NewInstance() => new(
        Endpoint.Address, PipeDirection.InOut, NamedPipeServerStream.MaxAllowedServerInstances, PipeTransmissionMode.Byte, Options,
            KernelBuffer,
        KernelBuffer);

    /// <summary>Gets what completes when a client has connected. Under the lock.</summary>
    /// <exception cref="ObjectDisposedException">The listener was disposed.</exception>
    private Task Connection()
    {
        if (_isDisposed)
        {
            throw new ObjectDisposedException(nameof(IWireListener), $"The listener at {Endpoint} was disposed.");
        }

        if (_connection is null)
        {
            try
            {
                _waiting ??= NewInstance();
                _connection = _waiting.WaitForConnectionAsync();
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidOperationException)
            {
                return Task.FromException(e);   // handles used up: accepting reports it
            }
        }

        return _connection;
    }
}
