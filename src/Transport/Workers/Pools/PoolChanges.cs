using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Wakes those who wait for a pool to change.</summary>
/// <param name="clock">The pool's clock.</param>
internal sealed class PoolChanges(TimeProvider clock)
{
    private TaskCompletionSource<bool> _next = New();   // under the pool's lock

    /// <summary>Gets a task that completes with the next change. Under the pool's lock.</summary>
    public Task Next => _next.Task;

    /// <summary>Wakes them. Under the pool's lock.</summary>
    public void Raise()
    {
        _ = _next.TrySetResult(true);
        _next = New();
    }

    /// <summary>Looks again after each change until there is what is looked for.</summary>
    /// <param name="look">Looks, under the pool's lock: whether it need not be waited for any more, and the next change.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public async Task UntilAsync(Func<(bool IsOver, Task Next)> look, CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            (bool isOver, Task changed) = look();
            if (isOver)
            {
                return;
            }

            _ = await Delay.InTimeAsync(changed, clock, Timeout.InfiniteTimeSpan, cancellationToken).ConfigureAwait(false);
        }
    }

    private static TaskCompletionSource<bool> New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
