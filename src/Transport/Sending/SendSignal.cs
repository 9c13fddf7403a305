using System;
using System.Diagnostics;
using System.Threading;

namespace Transport;

/// <summary>How senders wake the send thread, and how that thread rests and parks between them.</summary>
/// <remarks>
/// A sender queues first and signals then; the thread says that it rests or parks, by an exchange, and looks at the queue then. Whoever
/// comes second sees the other. A test that plays schedules derives from this, to hold back what senders signal.
/// </remarks>
internal class SendSignal(LinkCounters counters)
{
    private const int Parked = 1;    // the thread waits on _wakeup
    private const int Running = 2;   // the thread takes and writes, or is on its way to, or has not begun
    private const int Gone = 3;      // ended for good
    private const int Resting = 4;   // the thread lets a batch gather

    private readonly Wakeup _wakeup = new();
    private int _state = Running;    // changed by exchange: the thread says that it rests or parks, a signal takes that back
    private bool _ending;            // set before the last signal's fence, read after the fence in Park and Rest
    private int _urgent;             // 1: set with a fence by an urgent signal before it reads the state; see TakeUrgent

    /// <summary>
    /// Gets a value indicating whether nothing is written, nor about to be: the next <see cref="Set"/> wakes the thread, unless it has
    /// ended.
    /// </summary>
    public bool IsIdle => Volatile.Read(ref _state) is Parked or Gone;

    /// <summary>Gets a value indicating whether a batch gathers: only what is urgent wakes the thread before its time.</summary>
    public bool IsResting => Volatile.Read(ref _state) == Resting;

    /// <summary>Gets a value indicating whether the thread is to end once nothing is left to write.</summary>
    public bool IsEnding => _ending;

    /// <summary>Reports that there may be something to write. Any thread; costs one read while the send thread runs, and one fence more if
    /// it is urgent.</summary>
    /// <param name="now">That it should not wait until a batch has gathered.</param>
    public virtual void Set(bool now)
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

    /// <summary>Lets the thread end once nothing is left to write. Any thread.</summary>
    public void End()
    {
        _ending = true;
        Set(now: true);   // a full fence before it reads the state
    }

    /// <summary>Clears the urgent signal. The send thread only.</summary>
    /// <returns>Whether there was one. What was queued before it is seen by a look behind this call.</returns>
    public bool TakeUrgent() => Volatile.Read(ref _urgent) != 0 && Interlocked.Exchange(ref _urgent, 0) != 0;

    /// <summary>Sets the urgent signal again: what it was for may still be queued. The send thread only.</summary>
    public void PutUrgentBack() => Interlocked.Exchange(ref _urgent, 1);

    /// <summary>
    /// If packets come in bursts, or keep coming a few at a time, the thread waits until a segment is full or a moment has passed: small
    /// writes cost a system call each here and a wake each at the peer, and a parked thread costs a sender its wake. What is urgent, or
    /// awaited by somebody, is never held up. The send thread only.
    /// </summary>
    /// <param name="atMost">How long.</param>
    public void Rest(TimeSpan atMost)
    {
        Interlocked.Exchange(ref _state, Resting);

        // An urgent signal that still saw Running has not woken anybody, nor has the last one, whose flag the thread may have cleared.
        if ((_urgent != 0 || _ending) && Interlocked.CompareExchange(ref _state, Running, Resting) == Resting)
        {
            return;
        }

        if (!_wakeup.Wait(atMost, looksFirst: true) && Interlocked.CompareExchange(ref _state, Running, Resting) != Resting)
        {
            // Somebody has set Running, and signals: takes the signal that belongs to it.
            _wakeup.Wait(Timeout.InfiniteTimeSpan, looksFirst: true);
        }
    }

    /// <summary>Waits until somebody signals; returns at once if there is work. The send thread only.</summary>
    /// <param name="hasWork">Looks once more: a sender that queued before it could see Parked has not signalled. It takes every lane's
    /// lock, which orders the two.</param>
    /// <param name="looksFirst">Whether a signal may come so soon that looking for it costs less than falling asleep.</param>
    /// <returns>How long it waited, in ticks of <see cref="Stopwatch"/>; -1: there was work.</returns>
    public long Park(Func<bool> hasWork, bool looksFirst)
    {
        Interlocked.Exchange(ref _state, Parked);
        if ((hasWork() || _ending) && Interlocked.CompareExchange(ref _state, Running, Parked) == Parked)
        {
            return -1;
        }

        long start = Stopwatch.GetTimestamp();
        _wakeup.Wait(Timeout.InfiniteTimeSpan, looksFirst);
        return Stopwatch.GetTimestamp() - start;
    }

    /// <summary>The thread has ended: nobody is woken any more.</summary>
    public void Leave() => Volatile.Write(ref _state, Gone);

    private void Wake()
    {
        if (Interlocked.CompareExchange(ref _state, Running, Resting) == Resting)
        {
            _wakeup.Set();
        }
        else if (Interlocked.CompareExchange(ref _state, Running, Parked) == Parked)
        {
            counters.Woke();
            _wakeup.Set();
        }
    }
}
