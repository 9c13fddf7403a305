using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Journal;

/// <summary>The journal's own thread for files that are written and synced: leads when nobody else does.</summary>
internal sealed class CommitPump(object gate, CommitQueue queue, CommitLeader leader) : CommitThread
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
    private bool _hasLead;
    private bool _isGathering;   // set under gate and lock, reset under the lock, read under either
    private bool _isEnding;

    public override bool IsSoleLeader => false;

    public override void Wake()
    {
        if (!queue.IsLed)
        {
            queue.TakeLead();
            TakeOver();
        }
    }

    public override void TakeOver()
    {
        Start();
        lock (_lock)
        {
            _hasLead = true;
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

    protected override void OnUnexpected(JournalException failure) => queue.Fail(failure, leads: true);

    protected override void Run()
    {
        while (true)
        {
            Linger();
            lock (_lock)
            {
                Wait();

                if (_isEnding && !_isWanted)
                {
                    return;
                }

                Volatile.Write(ref _isWanted, false);
                Volatile.Write(ref _isGathering, false);   // before the look at the queue: who found it set has put a packet there
            }

            if (TryLead())
            {
                _ = leader.Lead(long.MaxValue, 0);
            }
        }
    }

    /// <summary>Under the lock: waits until the pump is wanted, or for the pause of what is queued. A pulse does not begin the pause
    /// anew.</summary>
    private void Wait()
    {
        long began = Stopwatch.GetTimestamp();
        int pause = Pause(), left = pause;
        while (!_isWanted && !_isEnding && left != 0)
        {
            _ = Monitor.Wait(_lock, left);
            if (Pause() != pause)
            {
                (began, pause) = (Stopwatch.GetTimestamp(), Pause());
            }

            long passed = (Stopwatch.GetTimestamp() - began) * 1000 / Stopwatch.Frequency;
            left = pause == Timeout.Infinite ? pause : (int)Math.Max(0, pause - passed);
        }
    }

    private int Pause()
    {
        if (_isGathering)
        {
            return queue.IsSyncedFirst ? GatherMilliseconds : GatherWritesMilliseconds;
        }

        return queue.HasObstacle ? RetryMilliseconds : Timeout.Infinite;
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

    private bool TryLead()
    {
        lock (_gate)
        {
            bool hasLead;
            lock (_lock)
            {
                hasLead = _hasLead;
                _hasLead = false;
            }

            if (!hasLead)
            {
                if (queue.IsLed || queue.IsEmpty || queue.HasFailed)
                {
                    return false;
                }

                queue.TakeLead();
            }

            queue.TakeWork();
            return true;
        }
    }
}
