using System;
using System.Threading;

namespace Transport.Journal;

/// <summary>
/// The journal's own thread for blocks, whose commits overlap: begins each of them, waits for all of them, and reports in order. It is the
/// only leader; who appends never commits.
/// </summary>
internal sealed class BlockDriver(object gate, CommitQueue queue, SegmentWriter writer, CommitLeader leader) : CommitThread
{
    private readonly object _gate = gate;
    private bool _leads;         // as long as anything is under way
    private bool _isWaiting;     // at the gate
    private bool _isInDevice;    // and might begin another commit
    private bool _isGathering;
    private bool _mayRetry;
    private bool _isEnding;

    public override bool IsSoleLeader => true;

    public override void Wake()
    {
        Start();
        _mayRetry = true;
        if (_isInDevice)
        {
            _isInDevice = false;
            writer.Wake();
        }
        else
        {
            EndWait();
        }
    }

    public override void NoteWaiter() => Wake();

    public override void TakeOver()
    {
        queue.EndLead();
        Wake();
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
        else if (!_isGathering)
        {
            _isGathering = true;
            Start();
            EndWait();
        }
    }

    public override void RetryLater()
    {
        // It tries again by itself.
    }

    public override void RetryNow()
    {
        if (!queue.IsEmpty && !queue.IsClosing)
        {
            Wake();
        }
    }

    public override void End()
    {
        lock (_gate)
        {
            _isEnding = true;
            Monitor.PulseAll(_gate);
        }

        Join();
    }

    protected override void OnUnexpected(JournalException failure) => queue.Fail(failure, leads: true);

    protected override void Run()
    {
        while (NextStep(out bool begins))
        {
            Exception? trouble = begins ? leader.Commit(begin: true) : Reap();
            CommitReport report;
            lock (_gate)
            {
                report = leader.Publish(trouble, 0, long.MaxValue, out _);
            }

            queue.Report(report);
        }
    }

    private JournalException? Reap()
    {
        try
        {
            _ = writer.Reap();
            return null;
        }
        catch (Exception e)
        {
            return Faults.Unexpected("Writing", e);
        }
    }

    /// <summary>Waits until there is something to do: to begin a commit, or to wait for those that are under way.</summary>
    /// <returns>False at the end.</returns>
    private bool NextStep(out bool begins)
    {
        lock (_gate)
        {
            _isInDevice = false;
            bool retry = false, gathered = false;
            while (true)
            {
                retry |= _mayRetry;
                _mayRetry = false;
                bool isDue = queue.IsCommitDue || (!queue.IsEmpty && (gathered || _isEnding));
                bool hasWork = !queue.HasFailed && isDue && (!queue.IsObstructed || retry);
                bool mayWork = _leads || !queue.IsLed;
                begins = hasWork && mayWork && !writer.IsFlightFull;
                if (begins)
                {
                    BeginLead();
                    return true;
                }

                if (_leads && !writer.IsFlightEmpty)
                {
                    _isInDevice = !writer.IsFlightFull;
                    return true;
                }

                if (_leads)
                {
                    _leads = false;
                    queue.EndLead();
                }

                if (_isEnding && (!hasWork || !mayWork))
                {
                    return false;
                }

                retry = gathered = !WaitAtGate();
            }
        }
    }

    private void BeginLead()
    {
        if (!_leads)
        {
            queue.TakeLead();
            _leads = true;
        }

        _isGathering = false;
        queue.TakeWork();
    }

    private bool WaitAtGate()
    {
        _isWaiting = true;
        int pause = queue.IsObstructed ? CommitPump.RetryMilliseconds : queue.IsEmpty ? Timeout.Infinite : CommitPump.GatherMilliseconds;
        bool inTime = Monitor.Wait(_gate, pause);
        _isWaiting = false;
        return inTime;
    }

    /// <summary>Under the gate: lets this thread look at the queue, if it waits at the gate.</summary>
    private void EndWait()
    {
        if (_isWaiting)
        {
            _isWaiting = false;
            Monitor.PulseAll(_gate);
        }
    }
}
