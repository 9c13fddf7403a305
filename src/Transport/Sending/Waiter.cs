using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A sender's place in a <see cref="WaitingLine"/>. It is woken if its bytes are reserved, and whenever it should look
/// around.</summary>
internal sealed class Waiter
{
    private readonly object _gate = new();
    private TaskCompletionSource<bool>? _awaited;
    private bool _isSignalled;
    private long _reserved;

    /// <summary>Initializes a new instance of the <see cref="Waiter"/> class.</summary>
    public Waiter() => Place = new LinkedListNode<Waiter>(this);

    /// <summary>Gets the lane of the packet that waits.</summary>
    public Lane Lane { get; private set; }

    /// <summary>Gets the place in the line. Under the line's lock.</summary>
    public LinkedListNode<Waiter> Place { get; }

    /// <summary>Gets or sets what the packet needs, as far as it was measured. Under the line's lock.</summary>
    public long Needed { get; set; }

    /// <summary>Gets or sets what is to be reserved. Under the line's lock.</summary>
    public long Wanted { get; set; }

    /// <summary>Gets or sets the bytes reserved. Written by the line while the waiter stands in it, and by its sender afterwards.</summary>
    public long Reserved
    {
        get
        {
            lock (_gate)
            {
                return _reserved;
            }
        }

        set
        {
            lock (_gate)
            {
                _reserved = value;
            }
        }
    }

    /// <summary>Begins a wait. Under the line's lock.</summary>
    public void Begin(Lane lane)
    {
        Lane = lane;
        lock (_gate)
        {
            _isSignalled = false;
        }
    }

    /// <summary>Wakes the sender; if it does not wait just now, its next wait ends at once.</summary>
    public void Signal()
    {
        TaskCompletionSource<bool>? awaited;
        lock (_gate)
        {
            _isSignalled = true;
            awaited = _awaited;
            _awaited = null;
            Monitor.Pulse(_gate);
        }

        awaited?.TrySetResult(true);
    }

    /// <summary>Blocks until it is woken, or the time is up.</summary>
    public void Wait(TimeSpan limit)
    {
        long start = Stopwatch.GetTimestamp();
        lock (_gate)
        {
            while (!_isSignalled)
            {
                double left = limit.TotalMilliseconds - ((Stopwatch.GetTimestamp() - start) * 1000.0 / Stopwatch.Frequency);
                if (left <= 0)
                {
                    return;
                }

                Monitor.Wait(_gate, (int)Math.Min(Math.Ceiling(left), int.MaxValue));
            }

            _isSignalled = false;
        }
    }

    /// <summary>Completes when it is woken.</summary>
    public Task WaitAsync()
    {
        lock (_gate)
        {
            if (_isSignalled)
            {
                _isSignalled = false;
                return Task.CompletedTask;
            }

            _awaited ??= new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            return _awaited.Task;
        }
    }
}
