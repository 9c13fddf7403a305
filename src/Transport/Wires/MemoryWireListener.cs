using System;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Takes connections inside one process: <see cref="Connect"/> is called on this very object, there is no table of names.</summary>
public sealed class MemoryWireListener : IWireListener
{
    private const int Backlog = 512;
    private readonly Channel<IWire> _waiting = Channel.CreateBounded<IWire>(new BoundedChannelOptions(Backlog));

    /// <summary>Initializes a new instance of the <see cref="MemoryWireListener"/> class.</summary>
    /// <param name="name">A name for people; it need not be unique.</param>
    public MemoryWireListener(string name) => Endpoint = new WireEndpoint(WireEndpoint.Memory, name);

    /// <inheritdoc/>
    public WireEndpoint Endpoint { get; }

    /// <summary>Connects. Safe from any thread; does not wait for the connection to be accepted.</summary>
    /// <returns>The connecting end, owned by the caller.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.ConnectFailed"/>: the listener was disposed, or 512 connections wait already.</exception>
    public IWire Connect()
    {
        (MemoryWire server, MemoryWire client) = MemoryWire.CreatePair();
        if (_waiting.Writer.TryWrite(server))
        {
            return client;
        }

        throw new TransportException(
            TransportFault.ConnectFailed,
            $"Cannot connect to {Endpoint}: the listener was disposed, or {Backlog} connections wait to be accepted already.");
    }

    /// <inheritdoc/>
    public async ValueTask<IWire> AcceptAsync()
    {
        while (await _waiting.Reader.WaitToReadAsync().ConfigureAwait(false))
        {
            if (_waiting.Reader.TryRead(out IWire? wire))
            {
                return wire;
            }
        }

        throw new ObjectDisposedException(nameof(MemoryWireListener), $"The listener {Endpoint} was disposed.");
    }

    /// <summary>Ends a pending wait; connections that nobody accepted are aborted.</summary>
    public void Dispose()
    {
        _ = _waiting.Writer.TryComplete();
        while (_waiting.Reader.TryRead(out IWire? wire))
        {
            wire.Abort();
        }
    }
}
