using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A task that completes after a time of the given clock, or when a token is cancelled; disposing it frees its timer.</summary>
internal sealed class Delay : IDisposable
{
    private readonly TaskCompletionSource<bool> _due = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ITimer _timer;
    private readonly CancellationTokenRegistration _registration;

    public Delay(TimeProvider clock, TimeSpan time, CancellationToken cancellationToken = default)
    {
        _timer = clock.CreateTimer(static state => End(state!), _due, Clamped(time), Timeout.InfiniteTimeSpan);
        _registration = cancellationToken.Register(static state => End(state!), _due);
    }

    /// <summary>The longest time that timers take, about 49 days.</summary>
    private static TimeSpan Longest => TimeSpan.FromMilliseconds(uint.MaxValue - 1);

    public Task Task => _due.Task;

    /// <summary>Waits for a task, at most for a time. A cancelled token ends the time.</summary>
    /// <returns>Whether the task completed in time; its exception, if any, is not thrown.</returns>
    public static async Task<bool> InTimeAsync(
        Task task, TimeProvider clock, TimeSpan limit, CancellationToken cancellationToken = default)
    {
        if (task.IsCompleted)
        {
            return true;
        }

        using var delay = new Delay(clock, limit, cancellationToken);
        return await Task.WhenAny(task, delay.Task).ConfigureAwait(false) == task;
    }

    /// <summary>Waits for a task until the wait is cancelled.</summary>
    /// <returns>What the task returns.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled; the task goes on.</exception>
    public static Task<T> UntilAsync<T>(Task<T> task, CancellationToken cancellationToken)
    {
        return cancellationToken.CanBeCanceled && !task.IsCompleted ? WaitAsync(task, cancellationToken) : task;

        static async Task<T> WaitAsync(Task<T> task, CancellationToken cancellationToken)
        {
            var cancelled = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            using (cancellationToken.Register(() => cancelled.TrySetResult(true)))
            {
                await Task.WhenAny(task, cancelled.Task).ConfigureAwait(false);
            }

            if (!task.IsCompleted)
            {
                _ = task.ContinueWith(static t => _ = t.Exception, TaskScheduler.Default);   // nobody else looks at it any more
                cancellationToken.ThrowIfCancellationRequested();
            }

            return await task.ConfigureAwait(false);
        }
    }

    public void Dispose()
    {
        _registration.Dispose();
        _timer.Dispose();
    }

    private static void End(object due) => ((TaskCompletionSource<bool>)due).TrySetResult(true);

    private static TimeSpan Clamped(TimeSpan time) =>
        time == Timeout.InfiniteTimeSpan ? time : time < TimeSpan.Zero ? TimeSpan.Zero : time > Longest ? Longest : time;
}
