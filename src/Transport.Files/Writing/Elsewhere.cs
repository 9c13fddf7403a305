using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>Runs what should not hold up a thread on one of the pool, or on this one where the pool gets none. Safe for any
/// thread.</summary>
/// <remarks>
/// A thread takes memory and, on Linux, two descriptors (.NET opens a pipe for it). What ends an output that has just run out of either
/// must not end the process: <see cref="Task.Run(Action)"/> throws then. And it throws once alone: the pool takes its first thread for
/// started, asks for no other, and runs nothing that is queued afterwards. So after the first time nothing is queued any more.
/// </remarks>
internal sealed class Elsewhere
{
    // Only ever set. A thread that reads the old value queues, as it would have a moment before.
    private volatile bool _isMissing;

    /// <summary>Runs a function.</summary>
    /// <param name="function">The function.</param>
    /// <returns>A task with its result or exception.</returns>
    /// <typeparam name="T">The result's type.</typeparam>
    public Task<T> RunAsync<T>(Func<T> function)
    {
        Task<T>? elsewhere = null;
        if (!_isMissing && Threads.TryStart(() => elsewhere = Task.Run(function, CancellationToken.None)))
        {
            return elsewhere!;
        }

        _isMissing = true;
        return Threads.RunHere(function);
    }
}
