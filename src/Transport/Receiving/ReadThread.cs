using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Transport;

/// <summary>The thread that a busy receive loop moves to, where it waits for input in the kernel itself.</summary>
/// <remarks>
/// An awaited read costs two wakes (the runtime's poller, then a thread of the pool) where a blocking one costs one, and about twice the
/// CPU. So the loop begins on the pool, moves here once <see cref="ReadsBeforeMoving"/> reads came close together, and leaves again after
/// <see cref="Linger"/> of quiet, so that an idle link has no thread. A handler that awaits takes the loop back to the pool; then it
/// stays there for longer.
/// </remarks>
internal sealed class ReadThread(IDirectWire? wire, ThreadBudget budget, Action outOfInput) : ICriticalNotifyCompletion
{
    private const int ReadsBeforeMoving = 8;
    private const int ReadsAfterAwaiting = 1024;
    private const int CloseTogether = 1000;   // ms
    private const int Linger = 2000;          // ms

    /// <summary>
    /// How long a loop that has just handled something waits before it counts as out of input, in ms: an answer that comes at once is not
    /// worth an Ack of its own. Not shorter than the kernel's tick: a timer of 1 ms has to be programmed into the clock hardware at each wait,
    /// measured as 10 µs of a round trip of 34 on a virtual machine.
    /// </summary>
    private const int Grace = 10;

    private Thread? _thread;
    private int _reads;
    private int _since;

    /// <summary>Gets a value indicating whether the caller, which must be the loop, runs on the thread.</summary>
    public bool IsHere => ReferenceEquals(Volatile.Read(ref _thread), Thread.CurrentThread);

    public bool IsCompleted => false;

    /// <summary>Counts an awaited read.</summary>
    /// <returns>True where the loop should now move: await this object.</returns>
    public bool ShouldMove()
    {
        if (wire is null || IsHere)
        {
            return false;
        }

        int now = Environment.TickCount;
        if (_reads >= 0 && unchecked((uint)(now - _since)) > CloseTogether)
        {
            _reads = 0;
        }

        if (_reads <= 0)
        {
            _since = now;
        }

        return ++_reads >= ReadsBeforeMoving && budget.TryEnter();
    }

    /// <summary>Waits for input on this thread.</summary>
    /// <param name="buffer">Where to put it.</param>
    /// <param name="offset">The first byte to fill.</param>
    /// <param name="count">How many bytes there is room for.</param>
    /// <returns>As <see cref="IDirectWire.Read"/>; -1 where the loop must read asynchronously, here or elsewhere.</returns>
    public int Read(byte[] buffer, int offset, int count)
    {
        int read = wire!.Read(buffer, offset, count, Grace);
        if (read < 0)
        {
            outOfInput();
            read = wire.Read(buffer, offset, count, Linger);
            if (read < 0)
            {
                Leave(Thread.CurrentThread, 0);
            }
        }

        return read;
    }

    public ReadThread GetAwaiter() => this;

    public void GetResult()
    {
        // Nothing to give: the loop goes on here.
    }

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        var thread = new Thread(Run) { IsBackground = true, Name = "transport receive" };
        Replace(thread);
        if (!Threads.TryStart(() => thread.Start(continuation)))
        {
            // The loop goes on where it is.
            Leave(thread, -ReadsAfterAwaiting);
            continuation();
        }
    }

    private void Run(object? continuation)
    {
        ((Action)continuation!)();

        // The loop has ended, has left, or awaits a handler, which may even be done by now, and the loop on another thread of its own.
        Leave(Thread.CurrentThread, -ReadsAfterAwaiting);
    }

    private void Replace(Thread thread)
    {
        if (Interlocked.Exchange(ref _thread, thread) is not null)
        {
            budget.Leave();
        }
    }

    private void Leave(Thread thread, int reads)
    {
        if (ReferenceEquals(Interlocked.CompareExchange(ref _thread, null, thread), thread))
        {
            _reads = reads;
            budget.Leave();
        }
    }
}
