using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>How a listener waits: for its own descriptors, and for the input of wires that it has accepted. One thread waits; any may wake it, or
/// end it. What it waits for is closed once nobody waits: a number could else be another file's.</summary>
/// <param name="name">Names the listener, behind "The listener".</param>
/// <param name="close">Closes what the listener waits for; null: nothing is the listener's own.</param>
internal sealed class ListenerPoll(string name, Action? close = null)
{
    private readonly object _gate = new();
    private readonly InputPoll _poll = new();
    private bool _isWaiting;    // under the lock
    private bool _isDisposed;   // under the lock

    /// <summary>Blocks until a descriptor has input, has ended or failed, or <see cref="Wake"/> was called.</summary>
    /// <param name="own">The listener's own descriptors.</param>
    /// <param name="wires">Those of the wires.</param>
    /// <param name="ready">Receives the positions in <paramref name="wires"/> of those whose next read does not wait.</param>
    /// <exception cref="ObjectDisposedException">It has ended.</exception>
    /// <exception cref="System.IO.IOException">As <see cref="InputPoll.Wait"/>.</exception>
    public void Wait(IReadOnlyCollection<int> own, IEnumerable<int> wires, ICollection<int> ready)
    {
        lock (_gate)
        {
            ThrowIfDisposed();
            _isWaiting = true;
        }

        try
        {
            _poll.Begin();
            foreach (int descriptor in own)
            {
                _poll.Add(descriptor);
            }

            int count = 0;
            foreach (int descriptor in wires)
            {
                _poll.Add(descriptor);
                count++;
            }

            _poll.Wait();
            for (int i = 0; i < count; i++)
            {
                if (_poll.HasInput(own.Count + i))
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

    /// <summary>Returns whether the listener's own descriptor at a position was not open; of the thread that waits.</summary>
    public bool IsClosed(int index) => _poll.IsClosed(index);

    /// <summary>Ends a wait, or the next one; nothing once it has ended.</summary>
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

    /// <summary>Ends it. A <see cref="Wait"/> on another thread ends, and closes the descriptors.</summary>
    /// <param name="before">What comes before anything is closed; the first call's alone.</param>
    public void Dispose(Action? before = null)
    {
        lock (_gate)
        {
            if (!_isDisposed)
            {
                _isDisposed = true;
                before?.Invoke();
                _poll.Wake();
                CloseIfDisposed();
            }
        }
    }

    /// <exception cref="ObjectDisposedException">It has ended.</exception>
    public void Check()
    {
        lock (_gate)
        {
            ThrowIfDisposed();
        }
    }

    private void CloseIfDisposed()
    {
        if (_isDisposed && !_isWaiting)
        {
            close?.Invoke();
            _poll.Dispose();
        }
    }

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
        {
            throw new ObjectDisposedException(nameof(IWireListener), $"The listener {name} was disposed.");
        }
    }
}
