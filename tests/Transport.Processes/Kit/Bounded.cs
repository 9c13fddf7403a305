using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.Processes.Kit;

/// <summary>Waits with a bound: a test that hangs says what it waited for.</summary>
internal static class Bounded
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static async Task<T> Within<T>(this Task<T> task, string what, TimeSpan? limit = null)
    {
        await ((Task)task).Within(what, limit).ConfigureAwait(false);
        return await task.ConfigureAwait(false);
    }

    public static async Task Within(this Task task, string what, TimeSpan? limit = null)
    {
        TimeSpan most = limit ?? Limit;
        var late = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var timer = new Timer(_ => late.TrySetResult(true), null, most, Timeout.InfiniteTimeSpan);
        if (await Task.WhenAny(task, late.Task).ConfigureAwait(false) != task)
        {
            throw new AssertionException($"Waited {most.TotalSeconds} s in vain for {what}.");
        }

        await task.ConfigureAwait(false);
    }
}
