using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport;

/// <summary>Takes connections inside one process: <see cref="Connect"/> is called on this very object, there is no table of
/// names.</summary>
internal sealed class MemoryWireListener : IWireListener
{
    private const int Backlog = 512;
    private readonly object _gate = new();
    private readonly Queue<IWire> _connections = new();   // under the lock, with the next two
    private bool _isAwake;
    private bool _isDisposed;

    /// <param name="name">A name for people; it need not be unique.</param>
    public MemoryWireListener(string name) => Endpoint = new WireEndpoint(WireKind.Memory, name);

    public WireEndpoint Endpoint { get; }

    /// <summary>Connects. Any thread; does not wait for the connection to be accepted.</summary>
    /// <returns>The connecting end, owned by the caller.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.ConnectFailed"/>: the listener was disposed, or 512 connections wait
    /// already.</exception>
    public IWire Connect()
    {
        (MemoryWire server, MemoryWire client) = MemoryWire.CreatePair(Pulse);
        lock (_gate)
        {
            if (!_isDisposed && _connections.Count < Backlog)
            {
                _connections.Enqueue(server);
                Monitor.PulseAll(_gate);
                return client;
            }
        }

        throw new TransportException(
            TransportFault.ConnectFailed,
            $"Cannot connect to {Endpoint}: the listener was disposed, or {Backlog} connections wait to be accepted already.");
    }

    public void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept)
    {
        lock (_gate)
        {
            while (!_isAwake && !(accept && _connections.Count > 0))
            {
                ThrowIfDisposed();
                AddReadable(wires, ready);
                if (ready.Count > 0)
                {
                    return;
                }

                Monitor.Wait(_gate);
            }

            ThrowIfDisposed();
            _isAwake = false;
            AddReadable(wires, ready);
        }
    }

    public IWire? TryAccept()
    {
        lock (_gate)
        {
            ThrowIfDisposed();
            return _connections.Count > 0 ? _connections.Dequeue() : null;
        }
    }

    public void Wake()
    {
        lock (_gate)
        {
            _isAwake = true;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Ends a wait; connections that nobody accepted are aborted.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            Monitor.PulseAll(_gate);
        }

        foreach (IWire wire in _connections)
        {
            wire.Abort();
        }
    }

    private static void AddReadable(IReadOnlyList<IWire> wires, ICollection<int> ready)
    {
        for (int i = 0; i < wires.Count; i++)
        {
            if (((MemoryWire)wires[i]).IsReadable)
            {
                ready.Add(i);
            }
        }
    }

    private void Pulse()
    {
        lock (_gate)
        {
            Monitor.PulseAll(_gate);
        }
    }

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
        {
            throw new ObjectDisposedException(nameof(MemoryWireListener), $"The listener {Endpoint} was disposed.");
        }
    }
}
