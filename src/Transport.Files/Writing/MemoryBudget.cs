using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>The bytes that may wait for a writer. Callers that exceed it wait, and are admitted in order.</summary>
/// <remarks>
/// Waiting callers are woken when half of it is free. Waking one for each complete file, with a thread switch each time, cost more than
/// writing the file. One lock guards everything.
/// </remarks>
/// <param name="limit">The budget.</param>
internal sealed class MemoryBudget(long limit)
{
    private readonly object _gate = new();
    private readonly Queue<Waiter> _waiting = new();
    private long _used;
    private long _most;
    private bool _ended;

    /// <summary>Gets the bytes in use.</summary>
    public long Used
    {
        get
        {
            lock (_gate)
            {
                return _used;
            }
        }
    }

    /// <summary>Gets the most bytes that were ever in use.</summary>
    public long Most
    {
        get
        {
            lock (_gate)
            {
                return _most;
            }
        }
    }

    /// <summary>Takes bytes. An unused budget admits any number.</summary>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="System.OperationCanceledException">Cancelled before the bytes were admitted.</exception>
    public ValueTask TakeAsync(long bytes, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Waiter waiter;
        lock (_gate)
        {
            if (_ended || (_waiting.Count == 0 && Fits(bytes)))
            {
                Charge(bytes);
                return default;
            }

            _waiting.Enqueue(waiter = new Waiter(bytes));
        }

        return new ValueTask(cancellationToken.CanBeCanceled ? waiter.WaitAsync(cancellationToken) : waiter.Task);
    }

    /// <summary>Gives bytes back.</summary>
    /// <param name="bytes">The number of bytes.</param>
    public void Give(long bytes)
    {
        lock (_gate)
        {
            _used -= bytes;
            Admit();
        }
    }

    /// <summary>Admits everybody, because the output is over.</summary>
    public void End()
    {
        lock (_gate)
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

        public async Task WaitAsync(CancellationToken cancellationToken)
        {
            using (cancellationToken.Register(() => TrySetCanceled(cancellationToken)))
            {
                _ = await Task.ConfigureAwait(false);
            }
        }
    }
}
