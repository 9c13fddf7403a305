using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>The bytes that may wait for a writer. Who finds no room waits its turn; nobody overtakes.</summary>
/// <remarks>Who has to wait is woken when half of it is free: woken for each file that is done, a caller cost more than writing the file (a thread switch each).</remarks>
internal sealed class MemoryBudget(long limit)
{
    private readonly Queue<Waiter> _waiting = new();
    private long _used;
    private long _most;
    private bool _ended;

    public long Used
    {
        get
        {
            lock (_waiting)
            {
                return _used;
            }
        }
    }

    /// <summary>Gets the most that was ever taken.</summary>
    public long Most
    {
        get
        {
            lock (_waiting)
            {
                return _most;
            }
        }
    }

    /// <summary>Waits on the caller's own thread, for calls that promise to.</summary>
    public static void Block(ValueTask wait)
    {
        if (!wait.IsCompletedSuccessfully)
        {
            wait.AsTask().GetAwaiter().GetResult();
        }
    }

    /// <summary>Takes room; an empty queue has room for anything.</summary>
    /// <exception cref="System.OperationCanceledException">Cancelled before there was room.</exception>
    public ValueTask TakeAsync(long bytes, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        Waiter waiter;
        lock (_waiting)
        {
            if (_ended || (_waiting.Count == 0 && Fits(bytes)))
            {
                Charge(bytes);
                return default;
            }

            _waiting.Enqueue(waiter = new Waiter(bytes));
        }

        return new ValueTask(cancellation.CanBeCanceled ? waiter.WaitAsync(cancellation) : waiter.Task);
    }

    public void Give(long bytes)
    {
        lock (_waiting)
        {
            _used -= bytes;
            Admit();
        }
    }

    /// <summary>Lets all who wait go on, to see that the output is over.</summary>
    public void End()
    {
        lock (_waiting)
        {
            _ended = true;
            Admit();
        }
    }

    private bool Fits(long bytes) => _used == 0 || _used + bytes <= limit;

    private void Charge(long bytes)
    {
        _used += bytes;
        _most = System.Math.Max(_most, _used);
    }

    private void Admit()
    {
        if (_used > limit / 2 && !_ended)
        {
            return;
        }

        while (_waiting.Count > 0 && (_ended || Fits(_waiting.Peek().Bytes)))
        {
            Waiter next = _waiting.Dequeue();
            if (next.TrySetResult(true))
            {
                Charge(next.Bytes);
            }
        }
    }

    private sealed class Waiter(long bytes) : TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public long Bytes { get; } = bytes;

        public async Task WaitAsync(CancellationToken cancellation)
        {
            using (cancellation.Register(() => TrySetCanceled(cancellation)))
            {
                _ = await Task.ConfigureAwait(false);
            }
        }
    }
}
