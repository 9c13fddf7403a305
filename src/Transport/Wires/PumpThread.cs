using System;
using System.Threading;

namespace Transport;

/// <summary>A background thread that runs what it is given, one piece of work after the other, until it is asked to end.</summary>
/// <remarks>Started before there is work, so that a link that could not get its threads is refused before Welcome.</remarks>
internal sealed class PumpThread
{
    private readonly object _gate = new();
    private Action? _work;      // under the lock
    private bool _isEnding;     // under the lock

    private PumpThread()
    {
    }

    /// <summary>Starts a thread.</summary>
    /// <param name="name">Its name, for debuggers and dumps.</param>
    /// <param name="maxStackSize">Its stack in bytes; 0: the default, for threads that run handlers.</param>
    /// <returns>The thread; null if the system gives none (a limit of the user or the container).</returns>
    public static PumpThread? TryStart(string name, int maxStackSize = 0)
    {
        var pump = new PumpThread();
        var thread = new Thread(pump.Loop, maxStackSize) { IsBackground = true, Name = name };
        if (ExecutionContext.IsFlowSuppressed())
        {
            return Threads.TryStart(thread.Start) ? pump : null;
        }

        // The execution context of the link's opener must not flow into its handlers.
        using (ExecutionContext.SuppressFlow())
        {
            return Threads.TryStart(thread.Start) ? pump : null;
        }
    }

    /// <summary>Gives the thread work. It must not throw, and the work before must be over.</summary>
    /// <exception cref="InvalidOperationException">The thread has work that it has not begun, or was asked to end.</exception>
    public void Run(Action work)
    {
        lock (_gate)
        {
            if (_work is not null || _isEnding)
            {
                throw new InvalidOperationException("The thread has work already, or was asked to end.");
            }

            _work = work;
            Monitor.Pulse(_gate);
        }
    }

    /// <summary>Ends the thread after the work at hand. Any thread, any number of times.</summary>
    public void End()
    {
        lock (_gate)
        {
            _isEnding = true;
            Monitor.Pulse(_gate);
        }
    }

    private void Loop()
    {
        while (Next() is { } work)
        {
            work();
        }
    }

    private Action? Next()
    {
        lock (_gate)
        {
            while (_work is null && !_isEnding)
            {
                Monitor.Wait(_gate);
            }

            Action? work = _work;
            _work = null;
            return work;
        }
    }
}
