using System;
using System.IO;
using System.IO.Pipes;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Listens at a named pipe through .NET's own streams. Always keeps one instance waiting, so that no client finds the name missing.</summary>
internal sealed class PipeStreamListener : IWireListener
{
    /// <summary>The flag's number: netstandard2.0 does not name it, every runtime since .NET Core 2.0 honours it.</summary>
    private const PipeOptions CurrentUserOnly = (PipeOptions)0x20000000;
    private const PipeOptions Options = PipeOptions.Asynchronous | CurrentUserOnly;
    private const int KernelBuffer = 1 << 20;

    /// <summary>What CurrentUserOnly has checked before a connection is handed over; Windows has no user numbers.</summary>
    private static readonly PeerIdentity SameUser = new(null, null, null, true);

    private readonly object _gate = new();
    private NamedPipeServerStream? _waiting;
    private bool _disposed;

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
            return new PipeStreamWire(client, SameUser);
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

    public async ValueTask<IWire> AcceptAsync()
    {
        NamedPipeServerStream instance = Waiting();
        try
        {
            await instance.WaitForConnectionAsync().ConfigureAwait(false);
            Replace(); // Fails: this connection is given up too, and the caller told.
            return new PipeStreamWire(instance, SameUser);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException or OperationCanceledException or InvalidOperationException)
        {
            // The next one first, then the failed one goes: the name never vanishes in between.
            try
            {
                Replace();
            }
            finally
            {
                instance.Dispose();
            }

            _ = Waiting();
            throw new IOException($"A connection to {Endpoint} could not be accepted: {e.Message}", e);
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _disposed = true;
            _waiting?.Dispose();
        }
    }

    private NamedPipeServerStream NewInstance() =>
        new(Endpoint.Address, PipeDirection.InOut, NamedPipeServerStream.MaxAllowedServerInstances, PipeTransmissionMode.Byte, Options, KernelBuffer, KernelBuffer);

    private NamedPipeServerStream Waiting()
    {
        lock (_gate)
        {
            return _disposed
                ? throw new ObjectDisposedException(nameof(IWireListener), $"The listener at {Endpoint} was disposed.")
                : _waiting ??= NewInstance();
        }
    }

    private void Replace()
    {
        lock (_gate)
        {
            if (!_disposed)
            {
                _waiting = null; // Where making one fails (handles used up), the next accept tries again.
                _waiting = NewInstance();
            }
        }
    }
}
