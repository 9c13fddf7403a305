using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Testing.Wires;

/// <summary>Bounds on waits: a test that would hang fails and says what it waited for.</summary>
public static class WithinExtensions
{
    /// <summary>Far above what a slow machine with much else to do needs, so that a test that gets here has failed. Nothing is as long as
    /// this when it goes well.</summary>
    public static readonly TimeSpan Bound = TimeSpan.FromSeconds(90);

    /// <summary>Awaits a task for at most <see cref="Bound"/>.</summary>
    /// <typeparam name="T">The task's value.</typeparam>
    /// <param name="task">The task.</param>
    /// <param name="what">What is waited for.</param>
    /// <returns>The task's value.</returns>
    public static async Task<T> Within<T>(this Task<T> task, string what)
    {
        await ((Task)task).Within(what).ConfigureAwait(false);
        return await task.ConfigureAwait(false);
    }

    /// <summary>Awaits a task for at most <see cref="Bound"/>.</summary>
    /// <param name="task">The task.</param>
    /// <param name="what">What is waited for.</param>
    /// <returns>A task.</returns>
    /// <exception cref="TimeoutException">The task had not completed by then.</exception>
    public static async Task Within(this Task task, string what)
    {
        if (task.IsCompleted)
        {
            await task.ConfigureAwait(false);
            return;
        }

        using var bound = new CancellationTokenSource(Bound);
        var late = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = bound.Token.Register(() => late.TrySetResult(true));
        if (await Task.WhenAny(task, late.Task).ConfigureAwait(false) != task)
        {
            throw new TimeoutException($"After {Bound.TotalSeconds} s still waiting for: {what}.");
        }

        await task.ConfigureAwait(false);
    }

    /// <summary>Awaits a task for as long as something moves, and then for at most <see cref="Bound"/>: for much data, which a slow machine
    /// may take its time for.</summary>
    /// <typeparam name="T">The task's value.</typeparam>
    /// <param name="task">The task.</param>
    /// <param name="moving">A number that grows while all is well.</param>
    /// <param name="what">What is waited for.</param>
    /// <returns>The task's value.</returns>
    /// <exception cref="TimeoutException">Nothing had moved for so long.</exception>
    public static async Task<T> WithinWhile<T>(this Task<T> task, Func<long> moving, string what)
    {
        while (true)
        {
            long before = moving();
            try
            {
                return await task.Within(what).ConfigureAwait(false);
            }
            catch (TimeoutException) when (!task.IsCompleted && moving() != before)
            {
                // It goes on.
            }
        }
    }

    /// <summary>Awaits a value task for at most <see cref="Bound"/>.</summary>
    /// <typeparam name="T">The task's value.</typeparam>
    /// <param name="task">The task.</param>
    /// <param name="what">What is waited for.</param>
    /// <returns>The task's value.</returns>
    public static Task<T> Within<T>(this ValueTask<T> task, string what) => task.AsTask().Within(what);
}
