using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Starts threads if the work has a way out if there is none to be had.</summary>
internal static class Threads
{
    /// <summary>What a link says if <see cref="TryStart"/> fails.</summary>
    public const string NoMore = "the system gives this process no more threads (ulimit -u, a limit of its container, or too few "
        + "descriptors for them: ulimit -n)";

    /// <summary>Starts a thread; false if the system gives no more (a limit of the user's or the container's).</summary>
    /// <param name="start">Starts it, and does nothing else.</param>
    public static bool TryStart(Action start)
    {
        try
        {
            start();
            return true;
        }
        catch (Exception)
        {
            return false;   // OutOfMemoryException; on Mono ExecutionEngineException
        }
    }

    /// <summary>Runs what may block for long on a thread of its own, or on this one if the system gives none.</summary>
    /// <param name="function">What is run.</param>
    /// <returns>A task with its result or exception.</returns>
    /// <typeparam name="T">The result's type.</typeparam>
    /// <remarks>Not on the thread pool: it ends the process if it gets no thread for its own watch (<c>FailFast</c>), and if it gets none
    /// for its first work, it runs nothing any more.</remarks>
    public static Task<T> RunAsync<T>(Func<T> function)
    {
        Task<T>? own = null;
        const TaskCreationOptions Own = TaskCreationOptions.LongRunning | TaskCreationOptions.DenyChildAttach;
        if (TryStart(() => own = Task.Factory.StartNew(function, CancellationToken.None, Own, TaskScheduler.Default)))
        {
            return own!;
        }

        var here = new Task<T>(function);
        here.RunSynchronously(TaskScheduler.Default);
        return here;
    }
}
