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
/// buffer is free when the call returns. Callers wake the thread at most once an idle period (<see cref="SendSignal"/>).
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

    private readonly SendQueue _queue;
    private readonly SendSignal _signal;
    private readonly IWire _wire;
    private readonly ISendEvents _events;
    private readonly TimeSpan _restTime;   // the longest a batch may gather
    private readonly Func<bool> _hasWork;
    private readonly TaskCompletionSource<bool> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _rests;              // how often the thread may still rest for a burst
    private bool _isLull;            // little is expected behind the last write: it was an Ack or its like, or somebody waits for its Ack
    private int _streak;             // small writes since the thread last found nothing to do for a while

    /// <summary>Initializes a new instance of the <see cref="SendPump"/> class.</summary>
    /// <param name="queue">What to write.</param>
    /// <param name="signal">Wakes the thread: the queue's.</param>
    /// <param name="wire">Takes the segments.</param>
    /// <param name="events">Hears of each write.</param>
    /// <param name="rest">How long a batch may gather at most; null: 1 ms.</param>
    public SendPump(SendQueue queue, SendSignal signal, IWire wire, ISendEvents events, TimeSpan? rest = null)
    {
        _queue = queue;
        _signal = signal;
        _wire = wire;
        _events = events;
        _restTime = rest ?? TimeSpan.FromMilliseconds(1);
        _hasWork = queue.HasWork;
    }

    /// <summary>Begins to write, on a thread that runs nothing else. Once.</summary>
    public void Start(PumpThread thread)
    {
        thread.Run(Run);
        thread.End();
    }

    /// <summary>Gets the end: everything queued is written or given up, every segment is back.</summary>
    public Task Completion => _completion.Task;

    private void Run()
    {
        try
        {
            while (true)
            {
                bool ending = _signal.IsEnding;
                int packets = WriteAll();
                if (ending)
                {
                    break;
                }

                _rests = packets < 0 || _isLull ? 0 : packets >= Burst ? RestsAfterBurst : _rests;
                if (_rests > 0)
                {
                    _rests--;
                    _signal.Rest(_restTime);
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

        _signal.Leave();
        _completion.TrySetResult(true);
    }

    /// <summary>Closes the queue before this loop is gone: nobody would write what is queued later, nor give its segments back.</summary>
    private void GiveUpAll(IOException failure)
    {
        try
        {
            try
            {
                _queue.Break(goodbyeReason: null);
                while (_queue.Take() is { } segment)
                {
                    _queue.GiveUp(segment);
                }
            }
            finally
            {
                _events.OnWriteFailed(failure);
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
                behind = _events.OnWriting(segment);
                _wire.Write(segment.Array, 0, segment.Used + behind);
            }
            catch (Exception e)
            {
                // An IOException by contract; whatever else a wire throws ends the link no worse.
                _queue.GiveUp(segment);
                _queue.Break(goodbyeReason: null);
                _events.OnWriteFailed(e as IOException ?? new IOException("The wire's write failed: " + ExceptionText.MessageOf(e), e));
                continue;
            }

            _isLull = behind > 0 || segment.Lane == (int)Lane.Control;
            (int bytes, int ending, var lane) = (segment.Used, segment.PacketsEnding, (Lane)segment.Lane);
            ByteMoves.Note("3 packet: send, copied by the kernel", bytes, bytes);
            long ticks = Stopwatch.GetTimestamp() - start;
            _queue.Written(segment, ticks, behind);
            if (TransportMeter.WriteDuration.Enabled)
            {
                Listeners.Record(TransportMeter.WriteDuration, TransportMeter.SecondsOf(ticks));
            }

            _events.OnWritten(lane, ending);
            if (!_isLull && bytes < LaneQueue.MinEfficientWrite && ++_streak > RestAfter)
            {
                // Packets keep coming, but each write takes only the few that came during the last one.
                _signal.Rest(_restTime);
            }
        }

        return isLarge ? -1 : packets;
    }

    /// <summary>Takes the next segment. The urgent signal is cleared only when a pass over the lanes came back empty: what somebody waits
    /// for may stand in any lane, behind what is taken first.</summary>
    /// <remarks>
    /// An urgent packet is queued before its signal. So a pass behind the clearing sees each packet whose signal came before the
    /// clearing; if that pass finds anything, the signal may have been for something behind it, and is set again.
    /// </remarks>
    private Segment? TakeNext()
    {
        Segment? segment = _queue.Take();
        if (segment is null && _signal.TakeUrgent())
        {
            segment = _queue.Take();
            if (segment is not null)
            {
                _signal.PutUrgentBack();
            }
        }

        return segment;
    }

    /// <summary>Waits until somebody signals; returns at once if there is work. In a lull it sleeps without looking first: with 50 workers
    /// that waited for each 64 packets, looking and resting took 3.7 us of CPU a packet.</summary>
    private void Park()
    {
        long waited = _signal.Park(_hasWork, looksFirst: !_isLull);
        _streak = waited < InStep ? _streak : 0;
    }
}
