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

    /// <summary>How long a batch may gather: the most by which a packet of a busy lane is late.</summary>
    private static readonly TimeSpan RestTime = TimeSpan.FromMilliseconds(1);

    private const int RestAfter = 16;

    private const int Absent = 0;    // no thread
    private const int Parked = 1;    // the thread waits on _bell
    private const int Running = 2;   // the thread takes and writes, or is on its way to
    private const int Gone = 3;      // ended for good
    private const int Lent = 4;      // a caller writes in the thread's place
    private const int Resting = 5;   // the thread lets a batch gather
    private const int MostLent = 4;  // segments that it writes at most: its own, and what stood before it

    private readonly SendQueue _queue;
    private readonly IWire _wire;
    private readonly LinkCounters _counters;
    private readonly Action _afterWrite;
    private readonly Action<IOException> _writeFailed;
    private readonly SemaphoreSlim _bell = new(0);   // spins before it sleeps: without, 256 B packets cost the sender a quarter more
    private readonly TaskCompletionSource<bool> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly IDirectWire? _direct;
    private Segment? _rest;          // what a caller began to write and the system did not take whole
    private int _restFrom;
    private int _state;
    private int _streak;             // small writes since the thread last found nothing to do
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
        _direct = wire as IDirectWire;
        _counters = counters;
        _afterWrite = afterWrite;
        _writeFailed = writeFailed;
    }

    /// <summary>Gets the end: everything queued is written or given up, every segment is back.</summary>
    public Task Completion => _completion.Task;

    /// <summary>Says that there may be something to write. Costs one read while the loop runs.</summary>
    /// <param name="now">That it should not wait until a batch has gathered.</param>
    public void Ring(bool now)
    {
        int state = Volatile.Read(ref _state);
        if (state != Running && (state != Resting || now))
        {
            Wake();
        }
    }

    /// <summary>Writes what is queued on the caller's thread, where nobody else is writing and the system takes it without waiting; else it is as <see cref="Ring"/>.</summary>
    /// <remarks>Saves the wake of a thread: about 4 µs of the caller's time, and 20 µs until the packet is on its way. It costs the caller the write, about 2 µs.</remarks>
    public void WriteHere()
    {
        int was = _direct is null ? Running : Interlocked.CompareExchange(ref _state, Lent, Parked);
        if (was != Parked && (was != Absent || Interlocked.CompareExchange(ref _state, Lent, Absent) != Absent))
        {
            Ring(now: true);
            return;
        }

        try
        {
            WriteWhatFits();
        }
        finally
        {
            Volatile.Write(ref _state, was);
            Interlocked.MemoryBarrier();

            // Whoever queued meanwhile saw a loop at work and did not ring.
            if (_rest is not null || _ending || _queue.HasWork())
            {
                Ring(now: true);
            }
        }
    }

    /// <summary>As <see cref="Ring"/> for Ping, Pong and Ack: a thread is not woken for so little, let alone started, where the caller can write it. Else each Ping would cost an idle link a thread.</summary>
    public void RingForControl()
    {
        if (Volatile.Read(ref _state) is not (Running or Resting))
        {
            WriteHere();
        }
    }

    /// <summary>Ends the loop once nothing is left to take.</summary>
    public void End()
    {
        _ending = true;
        Interlocked.MemoryBarrier();
        Ring(now: true);
    }

    private void Wake()
    {
        if (Interlocked.CompareExchange(ref _state, Running, Resting) == Resting)
        {
            _bell.Release();
        }
        else if (Interlocked.CompareExchange(ref _state, Running, Parked) == Parked)
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
        catch (Exception)
        {
            // The system gives no more threads (OutOfMemoryException; on Mono ExecutionEngineException): one of the pool's does, if later.
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

    private void WriteWhatFits()
    {
        for (int i = 0; i < MostLent && _queue.Take() is { } segment; i++)
        {
            long start = Stopwatch.GetTimestamp();
            int written = 0;
            try
            {
                written = _direct!.TryWrite(segment.Array, 0, segment.Used);
            }
            catch (IOException)
            {
                // The loop's own write meets the same, and tells of it.
            }

            if (written < segment.Used)
            {
                (_rest, _restFrom) = (segment, written);
                return;
            }

            _queue.Written(segment, Stopwatch.GetTimestamp() - start);
            _afterWrite();
        }
    }

    private void WriteAll()
    {
        while ((_rest ?? _queue.Take()) is { } segment)
        {
            int from = _rest is null ? 0 : _restFrom;
            _rest = null;
            long start = Stopwatch.GetTimestamp();
            try
            {
                _wire.Write(segment.Array, from, segment.Used - from);
            }
            catch (Exception e)
            {
                // An IOException by contract; whatever else a wire throws ends the link no worse.
                _queue.GiveUp(segment);
                _queue.Break(goodbyeReason: null);
                _writeFailed(e as IOException ?? new IOException("The wire's write failed: " + e.Message, e));
                continue;
            }

            int bytes = segment.Used;
            _queue.Written(segment, Stopwatch.GetTimestamp() - start);
            _afterWrite();
            if (bytes < LaneQueue.WorthAWrite && ++_streak > RestAfter)
            {
                Rest();
            }
        }

        _streak = 0;
    }

    /// <summary>
    /// Where packets keep coming, but each write takes only the few that came during the last one, the thread waits until a segment is full
    /// or a moment has passed: small writes cost a system call each here and a wake each at the peer. Where the queue runs empty now and then,
    /// nothing is held up, and what is urgent never is.
    /// </summary>
    private void Rest()
    {
        Volatile.Write(ref _state, Resting);
        if (!_bell.Wait(RestTime) && Interlocked.CompareExchange(ref _state, Running, Resting) != Resting)
        {
            AwaitBell();
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
            int was = Interlocked.CompareExchange(ref _state, Running, Parked);
            if (was != Lent)
            {
                return was == Parked || AwaitBell();
            }

            // A caller is writing just now: it looks once more itself, and rings.
        }

        while (!_bell.Wait(Linger))
        {
            int was = Interlocked.CompareExchange(ref _state, Absent, Parked);
            if (was != Lent)
            {
                return was != Parked && AwaitBell();
            }
        }

        return true;
    }

    /// <summary>Somebody has rung and set Running: takes the ring that belongs to it.</summary>
    private bool AwaitBell()
    {
        _bell.Wait();
        return true;
    }
}
