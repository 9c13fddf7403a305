using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>
/// The one writer of a link: takes all that is queued, segment by segment, writes it, and returns the segment when its write has completed.
/// </summary>
/// <remarks>
/// Nobody else writes to the wire: no caller, reader or timer. Otherwise a segment of which the system took one half could be overtaken by
/// another. Writes block, on a thread of the link's own: measured half the CPU of asynchronous ones on .NET, a twentieth on Mono, and the
/// buffer is free when the call returns. Callers wake the thread at most once an idle period.
/// </remarks>
internal sealed class SendPump
{
    private const int RestAfter = 16;

    /// <summary>So many packets since the thread was woken are a burst, and builds send one burst after the other.</summary>
    private const int Burst = 32;

    /// <summary>How often the thread rests after a burst before it parks: over the gap of a burst a millisecond, so that none of their
    /// sends pays for a wake (9 to 30 us, in which the woken thread often takes the sender's core).</summary>
    private const int RestsAfterBurst = 2;

    /// <summary>A sender that wakes the thread sooner than this after it has parked, packet after packet, goes in step with it: each send
    /// would cost a wake, and each packet a write. A round trip takes several times as long.</summary>
    private static readonly long InStep = Stopwatch.Frequency / 300_000;   // 3.3 us

    private const int Parked = 1;    // the thread waits on _wakeup, or has not begun
    private const int Running = 2;   // the thread takes and writes, or is on its way to
    private const int Gone = 3;      // ended for good
    private const int Resting = 4;   // the thread lets a batch gather

    private readonly SendQueue _queue;
    private readonly IWire _wire;
    private readonly LinkCounters _counters;
    private readonly Action _afterWrite;
    private readonly Action<IOException> _writeFailed;
    private readonly TimeSpan _restTime;   // the longest a batch may gather
    private readonly Wakeup _wakeup = new();
    private readonly TaskCompletionSource<bool> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _state;              // changed by exchange: the pump says that it rests or parks, a ring takes that back; see Park and Rest
    private int _rests;              // how often the thread may still rest for a burst
    private bool _isLull;            // little is expected behind the last write: it was an Ack or its like, or somebody waits for its Ack
    private int _streak;             // small writes since the thread last found nothing to do for a while
    private bool _ending;            // set before the last ring's fence, read after the fence in Park and Rest
    private int _urgent;             // 1: set with a fence by an urgent ring before it reads the state; cleared by the loop when nothing is left

    /// <summary>Initializes a new instance of the <see cref="SendPump"/> class.</summary>
    /// <param name="queue">What to write; its ring must call <see cref="Signal"/>.</param>
    /// <param name="wire">Takes the segments.</param>
    /// <param name="counters">Counts writes and wakes.</param>
    /// <param name="afterWrite">Called after each write, on the loop's thread.</param>
    /// <param name="writeFailed">Called once, on the loop's thread, when the wire takes no more.</param>
    /// <param name="rest">How long a batch may gather at most; null: 1 ms.</param>
    public SendPump(
        SendQueue queue, IWire wire, LinkCounters counters, Action afterWrite, Action<IOException> writeFailed, TimeSpan? rest = null)
    {
        _queue = queue;
        _wire = wire;
        _counters = counters;
        _afterWrite = afterWrite;
        _writeFailed = writeFailed;
        _restTime = rest ?? TimeSpan.FromMilliseconds(1);
        _state = Running;
    }

    /// <summary>Gets or sets what is asked before each write whether something belongs behind the segment's packets, writes it there and
    /// gives its bytes. On the loop's thread; before <see cref="Start"/>.</summary>
    public Func<Segment, int> Behind { get; set; } = static _ => 0;

    /// <summary>Begins to write, on a thread that runs nothing else. Once.</summary>
    public void Start(PumpThread thread)
    {
        thread.Run(Run);
        thread.End();
    }

    /// <summary>Gets the end: everything queued is written or given up, every segment is back.</summary>
    public Task Completion => _completion.Task;

    /// <summary>
    /// Gets a value indicating whether nothing is written, nor about to be: the next <see cref="Signal"/> wakes the thread, unless the loop
    /// has ended.
    /// </summary>
    public bool IsIdle => Volatile.Read(ref _state) is Parked or Gone;

    /// <summary>Gets a value indicating whether a batch gathers: only what is urgent wakes the thread before its time.</summary>
    public bool IsResting => Volatile.Read(ref _state) == Resting;

    /// <summary>Reports that there may be something to write. Costs one read while the loop runs, and one fence more if it is
    /// urgent.</summary>
    /// <param name="now">That it should not wait until a batch has gathered.</param>
    public void Signal(bool now)
    {
        if (now)
        {
            Interlocked.Exchange(ref _urgent, 1);
        }

        int state = Volatile.Read(ref _state);
        if (state != Running && (state != Resting || now))
        {
            Wake();
        }
    }

    /// <summary>Ends the loop once nothing is left to take.</summary>
    public void End()
    {
        _ending = true;
        Signal(now: true); // a full fence before it reads the state
    }

    private void Wake()
    {
        if (Interlocked.CompareExchange(ref _state, Running, Resting) == Resting)
        {
            _wakeup.Set();
        }
        else if (Interlocked.CompareExchange(ref _state, Running, Parked) == Parked)
        {
            _counters.Woke();
            _wakeup.Set();
        }
    }

    private void Run()
    {
        try
        {
            while (true)
            {
                bool ending = _ending;
                int packets = WriteAll();
                if (ending)
                {
                    break;
                }

                _rests = packets < 0 || _isLull ? 0 : packets >= Burst ? RestsAfterBurst : _rests;
                if (_rests > 0)
                {
                    _rests--;
                    Rest();
                }
                else
                {
                    Park();
                }
            }
        }
        catch (Exception defect)
        {
            // Nothing but a defect gets here; it must end this link with its cause, never the process.
            GiveUpAll(new IOException("The send loop failed: " + ExceptionText.MessageOf(defect), defect));
        }

        Volatile.Write(ref _state, Gone);
        _completion.TrySetResult(true);
    }

    /// <summary>Closes the queue before this loop is gone: nobody would write what is queued later, nor give its segments back.</summary>
    private void GiveUpAll(IOException failure)
    {
        try
        {
            try
            {
                _queue.Control.Break(goodbyeReason: null);
                while (_queue.Take() is { } segment)
                {
                    _queue.GiveUp(segment);
                }
            }
            finally
            {
                _writeFailed(failure);
            }
        }
        catch (Exception another)
        {
            // The queue is closed all the same; an exception here would end the process.
            TransportEventSource.Log.WriteFailed(nameof(SendPump), $"{failure.Message} Then: {ExceptionText.MessageOf(another)}");
        }
    }

    /// <summary>Writes until nothing is queued.</summary>
    /// <returns>How many packets that were; -1 if a segment was worth a write of its own: at that rate the next is full soon.</returns>
    private int WriteAll()
    {
        int packets = 0;
        bool isLarge = false;
        while (TakeNext() is { } segment)
        {
            packets += segment.PacketsEnding;
            isLarge |= segment.Used >= LaneQueue.MinEfficientWrite;
            long start = Stopwatch.GetTimestamp();
            int behind;
            try
            {
                behind = Behind(segment);
                _wire.Write(segment.Array, 0, segment.Used + behind);
            }
            catch (Exception e)
            {
                // An IOException by contract; whatever else a wire throws ends the link no worse.
                _queue.GiveUp(segment);
                _queue.Control.Break(goodbyeReason: null);
                _writeFailed(e as IOException ?? new IOException("The wire's write failed: " + ExceptionText.MessageOf(e), e));
                continue;
            }

            _isLull = behind > 0 || segment.Lane == (int)Lane.Control;
            int bytes = segment.Used;
            ByteMoves.Note("3 packet: send, copied by the kernel", bytes, bytes);
            long ticks = Stopwatch.GetTimestamp() - start;
            _queue.Written(segment, ticks, behind);
            if (TransportMeter.WriteDuration.Enabled)
            {
                Listeners.Record(TransportMeter.WriteDuration, TransportMeter.SecondsOf(ticks));
            }

            _afterWrite();
            if (!_isLull && bytes < LaneQueue.MinEfficientWrite && ++_streak > RestAfter)
            {
                Rest();
            }
        }

        return isLarge ? -1 : packets;
    }

    /// <summary>Takes the next segment. The urgent flag is cleared only when a pass over the lanes came back empty: what somebody waits for may
    /// stand in any lane, behind what is taken first.</summary>
    /// <remarks>
    /// An urgent packet is queued before its ring. So a pass behind the clearing sees each packet whose ring came before the clearing; if that
    /// pass finds anything, the ring may have been for something behind it, and the flag is set again.
    /// </remarks>
    private Segment? TakeNext()
    {
        Segment? segment = _queue.Take();
        if (segment is null && Volatile.Read(ref _urgent) != 0)
        {
            Interlocked.Exchange(ref _urgent, 0);
            segment = _queue.Take();
            if (segment is not null)
            {
                Interlocked.Exchange(ref _urgent, 1);
            }
        }

        return segment;
    }

    /// <summary>
    /// If packets keep coming, but each write takes only the few that came during the last one, or if they come in bursts, the thread waits
    /// until a segment is full or a moment has passed: small writes cost a system call each here and a wake each at the peer, and a parked
    /// thread costs a sender its wake. What is urgent, or awaited by somebody, is never held up.
    /// </summary>
    private void Rest()
    {
        Interlocked.Exchange(ref _state, Resting);

        // An urgent ring that still saw Running has not woken anybody, nor has the last one, whose flag the loop may have cleared.
        if ((_urgent != 0 || _ending) && Interlocked.CompareExchange(ref _state, Running, Resting) == Resting)
        {
            return;
        }

        if (!_wakeup.Wait(_restTime, looksFirst: true) && Interlocked.CompareExchange(ref _state, Running, Resting) != Resting)
        {
            // Somebody has set Running, and signals: takes the signal that belongs to it.
            _wakeup.Wait(Timeout.InfiniteTimeSpan, looksFirst: true);
        }
    }

    /// <summary>Waits until somebody signals; returns at once if there is work. In a lull it sleeps without looking first: with 50 workers
    /// that waited for each 64 packets, looking and resting took 3.7 us of CPU a packet.</summary>
    private void Park()
    {
        Interlocked.Exchange(ref _state, Parked);

        // A sender that queued before seeing Parked did not signal, so look once more; takes every lane's lock, which orders the two.
        if ((_queue.HasWork() || _ending) && Interlocked.CompareExchange(ref _state, Running, Parked) == Parked)
        {
            return;
        }

        long start = Stopwatch.GetTimestamp();
        _wakeup.Wait(Timeout.InfiniteTimeSpan, looksFirst: !_isLull);
        _streak = Stopwatch.GetTimestamp() - start < InStep ? _streak : 0;
    }
}
