using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Transport.Buffers;
using Transport.Diagnostics;
using Transport.Wires;

namespace Transport.Sending;

/// <summary>The one writer of a link: takes all that is queued, segment by segment, writes it, and gives the segment back when its write has completed.</summary>
/// <remarks>
/// Writes are synchronous, on a thread of the loop's own: measured half the CPU of asynchronous ones on .NET, a twentieth on Mono,
/// and the buffer is free when the call returns. The thread is there only while there is traffic: it leaves after
/// <see cref="Linger"/> of quiet, so that an idle link costs none. Callers wake it at most once an idle period.
/// </remarks>
internal sealed class SendLoop
{
    private static readonly TimeSpan Linger = TimeSpan.FromSeconds(2);

    private const int Absent = 0;    // no thread
    private const int Parked = 1;    // the thread waits on _bell
    private const int Running = 2;   // the thread takes and writes, or is on its way to
    private const int Gone = 3;      // ended for good

    private readonly SendQueue _queue;
    private readonly IWire _wire;
    private readonly LinkCounters _counters;
    private readonly Action _afterWrite;
    private readonly Action<IOException> _writeFailed;
    private readonly SemaphoreSlim _bell = new(0);
    private readonly TaskCompletionSource<bool> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _state;
    private volatile bool _ending;

    /// <summary>Initializes a new instance of the <see cref="SendLoop"/> class.</summary>
    /// <param name="queue">What to write; its ring must call <see cref="Ring"/>.</param>
    /// <param name="wire">Where to.</param>
    /// <param name="counters">Where writes and wakes are counted.</param>
    /// <param name="afterWrite">Called after each write, on the loop's thread.</param>
    /// <param name="writeFailed">Called once, on the loop's thread, when the wire takes no more.</param>
    public SendLoop(SendQueue queue, IWire wire, LinkCounters counters, Action afterWrite, Action<IOException> writeFailed)
    {
        _queue = queue;
        _wire = wire;
        _counters = counters;
        _afterWrite = afterWrite;
        _writeFailed = writeFailed;
    }

    /// <summary>Gets the end: everything queued is written or given up, every segment is back.</summary>
    public Task Completion => _completion.Task;

    /// <summary>Says that there may be something to write. Costs one read while the loop runs.</summary>
    public void Ring()
    {
        if (Volatile.Read(ref _state) != Running)
        {
            Wake();
        }
    }

    /// <summary>Ends the loop once nothing is left to take.</summary>
    public void End()
    {
        _ending = true;
        Interlocked.MemoryBarrier();
        Ring();
    }

    private void Wake()
    {
        if (Interlocked.CompareExchange(ref _state, Running, Parked) == Parked)
        {
            _counters.Woke();
            _bell.Release();
        }
        else if (Interlocked.CompareExchange(ref _state, Running, Absent) == Absent)
        {
            _counters.Woke();
            StartThread();
        }
    }

    private void StartThread()
    {
        try
        {
            new Thread(Run, maxStackSize: 256 << 10) { IsBackground = true, Name = "transport send" }.Start();
        }
        catch (Exception e) when (e is OutOfMemoryException or ThreadStartException)
        {
            // The system gives no more threads: one of the pool's does, if later.
            ThreadPool.UnsafeQueueUserWorkItem(static state => ((SendLoop)state!).Run(), this);
        }
    }

    private void Run()
    {
        bool ending;
        try
        {
            do
            {
                ending = _ending;
                WriteAll();
            }
            while (!ending && Park());
        }
        catch (Exception defect)
        {
            // Nothing but a defect gets here; it must end this link with its cause, never the process.
            ending = true;
            _writeFailed(new IOException("The send loop failed: " + defect.Message, defect));
        }

        if (ending)
        {
            Volatile.Write(ref _state, Gone);
            _completion.TrySetResult(true);
        }
    }

    private void WriteAll()
    {
        while (_queue.Take() is { } segment)
        {
            long start = Stopwatch.GetTimestamp();
            try
            {
                _wire.Write(segment.Array, 0, segment.Used);
            }
            catch (Exception e)
            {
                // An IOException by contract; whatever else a wire throws ends the link no worse.
                _queue.GiveUp(segment);
                _queue.Break(goodbyeReason: null);
                _writeFailed(e as IOException ?? new IOException("The wire's write failed: " + e.Message, e));
                continue;
            }

            _queue.Written(segment, Stopwatch.GetTimestamp() - start);
            _afterWrite();
        }
    }

    /// <summary>Waits for the bell.</summary>
    /// <returns>False where the thread should leave: it was quiet for long, and whoever rings next starts another.</returns>
    private bool Park()
    {
        Volatile.Write(ref _state, Parked);
        Interlocked.MemoryBarrier();

        // Whoever queued before seeing Parked did not ring, so look once more; takes every lane's lock, which orders the two.
        if (_queue.HasWork() || _ending)
        {
            return Interlocked.CompareExchange(ref _state, Running, Parked) == Parked || AwaitBell();
        }

        if (_bell.Wait(Linger))
        {
            return true;
        }

        return Interlocked.CompareExchange(ref _state, Absent, Parked) != Parked && AwaitBell();
    }

    /// <summary>Somebody has rung and set Running: takes the ring that belongs to it.</summary>
    private bool AwaitBell()
    {
        _bell.Wait();
        return true;
    }
}
