using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Journal;

/// <summary>The journal's own thread for files that are written and synced: leads when nobody else does, and marks pauses.</summary>
internal sealed class CommitPump(object gate, CommitQueue queue, CommitLeader leader, IdleMark idle) : CommitThread
{
    /// <summary>How long queued packets may wait for more. A commit for each packet of a busy link took a tenth of a build's CPU.</summary>
    public const int GatherMilliseconds = 10;

    public const int RetryMilliseconds = 100;

    /// <summary>The same if a record is safe from the end of this process once it is written.</summary>
    private const int GatherWritesMilliseconds = 2;

    private const int LingerMicroseconds = 30;
    private const int LingerSpins = 20;

    private readonly object _gate = gate;
    private readonly object _lock = new();
    private bool _isWanted;      // changed under the lock; the pump spins on it without for an instant
    private CommitLead _lead;    // passed on to the pump and not taken up yet
    private bool _isGathering;   // set under gate and lock, reset under the lock, read under either
    private bool _isResting;     // waits for a pause to mark
    private bool _isEnding;

    public override bool IsSoleLeader => false;

    public override void Wake()
    {
        if (!queue.IsLed)
        {
            TakeOver(queue.TakeLead());
        }
    }

    public override void TakeOver(CommitLead lead)
    {
        Start();
        lock (_lock)
        {
            _lead = lead.Pass();
            Volatile.Write(ref _isWanted, true);
            Monitor.Pulse(_lock);
        }
    }

    public override void Gather()
    {
        if (queue.IsLed)
        {
            return;   // the leader looks at the queue when it is done
        }

        if (queue.HasEnough)
        {
            Wake();
        }
        else if (!Volatile.Read(ref _isGathering))
        {
            Start();
            lock (_lock)
            {
                Volatile.Write(ref _isGathering, true);
                Monitor.Pulse(_lock);
            }
        }
    }

    public override void NotePause()
    {
        Start();
        lock (_lock)
        {
            _isResting = true;
            Monitor.Pulse(_lock);
        }
    }

    public override void NoteWaiter()
    {
        // The leader looks at the queue when it is done.
    }

    public override void RetryNow()
    {
        if (!queue.HasObstacle || queue.IsEmpty || queue.IsClosing)
        {
            return;
        }

        Start();
        lock (_lock)
        {
            _isWanted = true;
            Monitor.Pulse(_lock);
        }
    }

    public override void RetryLater()
    {
        if (queue.IsEmpty || queue.IsClosing)
        {
            return;
        }

        Start();
        lock (_lock)
        {
            Monitor.Pulse(_lock);
        }
    }

    public override void End()
    {
        lock (_lock)
        {
            _isEnding = true;
            Monitor.PulseAll(_lock);
        }

        Join();
    }

    protected override void OnUnexpected(JournalException failure) => queue.Fail(failure, TakeUpLead());

    protected override void Run()
    {
        while (true)
        {
            bool isRested;
            lock (_lock)
            {
                isRested = Wait() && !_isWanted;
                if (_isEnding && !_isWanted)
                {
                    return;
                }

                Volatile.Write(ref _isWanted, false);
                Volatile.Write(ref _isGathering, false);   // before the look at the queue: who found it set has put a packet there
                _isResting &= !isRested;
            }

            CommitLead lead = TakeLead(isRested, out bool isPause);
            if (lead.IsHeld)
            {
                _ = leader.Lead(lead, long.MaxValue, 0, isPause: isPause);
            }

            if (!isRested)
            {
                Linger();
            }
        }
    }

    /// <summary>Under the lock: waits until the pump is wanted, or for the pause of what is queued. A pulse does not begin the pause
    /// anew.</summary>
    /// <returns>Whether it was the time of a pause to mark that has passed.</returns>
    private bool Wait()
    {
        long began = Stopwatch.GetTimestamp();
        (int pause, bool isRest) = Pause();
        int left = pause;
        while (!_isWanted && !_isEnding && left != 0)
        {
            _ = Monitor.Wait(_lock, left);
            (int Milliseconds, bool IsRest) now = Pause();
            if (now != (pause, isRest))
            {
                (pause, isRest) = now;
                began = Stopwatch.GetTimestamp();
            }

            long passed = (Stopwatch.GetTimestamp() - began) * 1000 / Stopwatch.Frequency;
            left = pause == Timeout.Infinite ? pause : (int)Math.Max(0, pause - passed);
        }

        return isRest && left == 0;
    }

    private (int Milliseconds, bool IsRest) Pause()
    {
        if (_isGathering)
        {
            return (queue.IsSyncedFirst ? GatherMilliseconds : GatherWritesMilliseconds, false);
        }

        return _isResting ? (idle.Milliseconds, true) : (queue.HasObstacle ? RetryMilliseconds : Timeout.Infinite, false);
    }

    /// <summary>Stays awake for a moment: waking a thread costs who appends a hundred times the append.</summary>
    private void Linger()
    {
        long until = Stopwatch.GetTimestamp() + (Stopwatch.Frequency * LingerMicroseconds / 1_000_000);
        while (!Volatile.Read(ref _isWanted) && Stopwatch.GetTimestamp() < until)
        {
            Thread.SpinWait(LingerSpins);
        }
    }

    /// <summary>Takes up the lead that was passed on to this thread, or takes it if there is something to do that nobody does.</summary>
    /// <param name="isRested">Whether it was the time of a pause that has passed: then there is nothing else to do.</param>
    /// <param name="isPause">Whether there is a pause to mark.</param>
    private CommitLead TakeLead(bool isRested, out bool isPause)
    {
        lock (_gate)
        {
            isPause = isRested && idle.Take();   // not if somebody leads, be it that the lead waits for this thread
            if (isRested && !isPause && queue.IsEmpty && !queue.IsLed && idle.Arm())
            {
                NotePause();   // otherwise the commit that comes arms it
            }

            CommitLead lead = TakeUpLead();
            if (!lead.IsHeld && !queue.IsLed && !queue.HasFailed && (isRested ? isPause : !queue.IsEmpty))
            {
                lead = queue.TakeLead();
            }

            if (lead.IsHeld)
            {
                queue.TakeWork();
            }

            return lead;
        }
    }

    private CommitLead TakeUpLead()
    {
        lock (_lock)
        {
            CommitLead lead = _lead;
            _lead = default;
            return lead;
        }
    }
}
