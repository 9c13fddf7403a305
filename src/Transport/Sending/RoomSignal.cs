using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Sending;

/// <summary>Lets callers wait until the queue has room again. Costs the send loop one read where nobody waits.</summary>
internal sealed class RoomSignal
{
    private readonly object _gate = new();
    private TaskCompletionSource<bool>? _waiter;
    private long _version;
    private int _waiting;

    /// <summary>Gets a number that changes with every release. Read it, try to send, then wait for it to change.</summary>
    public long Version => Volatile.Read(ref _version);

    /// <summary>Says that a caller is about to wait; balanced by <see cref="Leave"/>.</summary>
    public void Enter() => Interlocked.Increment(ref _waiting);

    public void Leave() => Interlocked.Decrement(ref _waiting);

    /// <summary>Wakes every waiter: room was made, or the queue was closed.</summary>
    public void Release()
    {
        if (Volatile.Read(ref _waiting) == 0)
        {
            return;
        }

        TaskCompletionSource<bool>? waiter;
        lock (_gate)
        {
            _version++;
            waiter = _waiter;
            _waiter = null;
            Monitor.PulseAll(_gate);
        }

        waiter?.TrySetResult(true);
    }

    /// <summary>Blocks until the version has changed.</summary>
    /// <returns>False where the time was up before.</returns>
    public bool Wait(long seen, TimeSpan limit)
    {
        long start = Stopwatch.GetTimestamp();
        lock (_gate)
        {
            while (_version == seen)
            {
                double left = limit.TotalMilliseconds - ((Stopwatch.GetTimestamp() - start) * 1000.0 / Stopwatch.Frequency);
                if (left <= 0)
                {
                    return false;
                }

                Monitor.Wait(_gate, (int)Math.Min(Math.Ceiling(left), int.MaxValue));
            }
        }

        return true;
    }

    /// <summary>Completes when the version has changed.</summary>
    public Task WaitAsync(long seen)
    {
        lock (_gate)
        {
            if (_version != seen)
            {
                return Task.CompletedTask;
            }

            _waiter ??= new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            return _waiter.Task;
        }
    }
}
