using System;
using System.Collections.Generic;
using System.IO;

namespace Transport;

/// <summary>Takes the connections of children that have inherited pipes. A child's counts as one that waits to be accepted once it has
/// written something: until then it starts.</summary>
internal sealed class InheritedListener : IWireListener
{
    private readonly object _gate = new();
    private readonly InputPoll _poll = new();
    private readonly List<InheritedWire> _offered = [];   // under the lock, as all below
    private bool _isWaiting;
    private bool _isDisposed;

    /// <summary>Gets an endpoint without a child: each has its own (<see cref="InheritedEnds.Endpoint"/>).</summary>
    public WireEndpoint Endpoint { get; } = new(WireKind.Inherited, string.Empty);

    /// <summary>Takes a child's wire; once it has started.</summary>
    /// <param name="wire">This side's ends; the listener's until they are accepted or withdrawn.</param>
    /// <param name="process">The child.</param>
    public void Offer(InheritedWire wire, int process)
    {
        wire.Peer = wire.Peer with { ProcessId = process };
        bool isTaken;
        lock (_gate)
        {
            isTaken = !_isDisposed;
            if (isTaken)
            {
                _offered.Add(wire);
                _poll.Wake();
            }
        }

        if (!isTaken)
        {
            wire.Dispose();
        }
    }

    /// <summary>Takes a wire back that was not accepted: its child has ended. One that was is its link's.</summary>
    public void Withdraw(InheritedWire wire)
    {
        lock (_gate)
        {
            if (!_offered.Remove(wire))
            {
                return;
            }

            _poll.Wake();
        }

        wire.Dispose();
    }

    public void Wait(IReadOnlyList<IWire> wires, ICollection<int> ready, bool accept)
    {
        InheritedWire[] offered;
        lock (_gate)
        {
            ThrowIfDisposed();
            _isWaiting = true;
            offered = accept ? [.. _offered] : [];
        }

        try
        {
            // One that is withdrawn meanwhile wakes the poll; until then its number may be another file's, which at worst wakes it too.
            _poll.Begin();
            foreach (InheritedWire wire in offered)
            {
                _poll.Add(wire.Descriptor);
            }

            foreach (IWire wire in wires)
            {
                _poll.Add(((InheritedWire)wire).Descriptor);
            }

            _poll.Wait();
            for (int i = 0; i < wires.Count; i++)
            {
                if (_poll.HasInput(offered.Length + i))
                {
                    ready.Add(i);
                }
            }
        }
        finally
        {
            lock (_gate)
            {
                _isWaiting = false;
                CloseIfDisposed();
            }
        }
    }

    public IWire? TryAccept()
    {
        lock (_gate)
        {
            ThrowIfDisposed();
            for (int i = 0; i < _offered.Count;)
            {
                InheritedWire wire = _offered[i];
                short state = wire.Look();
                if (state == 0)
                {
                    i++;
                    continue;
                }

                _offered.RemoveAt(i);
                if ((state & PollFd.Input) != 0)
                {
                    return wire;
                }

                wire.Dispose();   // its child has ended, or closed it, and has written nothing
            }
        }

        return null;
    }

    public void Wake()
    {
        lock (_gate)
        {
            if (!_isDisposed)
            {
                _poll.Wake();
            }
        }
    }

    /// <summary>Ends a <see cref="Wait"/>; wires that nobody accepted are ended.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
            _offered.ForEach(static wire => wire.Dispose());
            _offered.Clear();
            _poll.Wake();
            CloseIfDisposed();
        }
    }

    private void CloseIfDisposed()
    {
        if (_isDisposed && !_isWaiting)
        {
            _poll.Dispose();
        }
    }

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
        {
            throw new ObjectDisposedException(nameof(IWireListener), "The listener for inherited pipes was disposed.");
        }
    }
}
