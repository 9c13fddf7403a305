using System;
using System.Threading;

namespace Transport.Journal;

/// <summary>
/// The journal's own thread for blocks, whose commits overlap: begins each of them, waits for all of them, and reports in order. It is the
/// only leader; who appends never commits. It marks pauses too.
/// </summary>
internal sealed class BlockDriver(object gate, CommitQueue queue, SegmentWriter writer, CommitLeader leader, IdleMark idle) : CommitThread
{
    private readonly object _gate = gate;
    private CommitLead _lead;    // held as long as anything is under way
    private bool _isWaiting;     // at the gate
    private bool _isInDevice;    // and might begin another commit
    private bool _isGathering;
    private bool _mayRetry;
    private bool _isEnding;

    private enum Step
    {
        /// <summary>Begin a commit.</summary>
        Begin,

        /// <summary>Wait for a commit that is under way.</summary>
        Reap,

        /// <summary>Mark a pause.</summary>
        Mark,

        /// <summary>End the thread.</summary>
        End,
    }

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

    public override void TakeOver(CommitLead lead)
    {
        lead.End();
        Wake();
    }

    public override void NotePause()
    {
        // It has noted it itself: it alone commits.
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

    protected override void OnUnexpected(JournalException failure) => queue.Fail(failure, _lead);

    protected override void Run()
    {
        while (NextStep() is var step && step != Step.End)
        {
            Exception? trouble = step switch
            {
                Step.Begin => leader.Commit(begin: true),
                Step.Mark => leader.Mark(),
                _ => Reap(),
            };
            CommitReport report;
            lock (_gate)
            {
                report = leader.Publish(trouble, 0, long.MaxValue, out _);
            }

            queue.Report(report);
            leader.ReportTimes();
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

    /// <summary>Waits until there is something to do.</summary>
    private Step NextStep()
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
                bool hasWork = !queue.HasFailed && isDue && (!queue.HasObstacle || retry);
                bool mayWork = _lead.IsHeld || !queue.IsLed;
                if (hasWork && mayWork && !writer.IsFlightFull)
                {
                    BeginLead();
                    return Step.Begin;
                }

                if (_lead.IsHeld && !writer.IsFlightEmpty)
                {
                    _isInDevice = !writer.IsFlightFull;
                    return Step.Reap;
                }

                if (_lead.IsHeld)
                {
                    _lead.End();
                }

                if (_isEnding && (!hasWork || !mayWork))
                {
                    return Step.End;
                }

                retry = gathered = !WaitAtGate();
                if (gathered && idle.IsArmed && queue.IsEmpty)
                {
                    if (idle.Take())
                    {
                        BeginLead();
                        return Step.Mark;
                    }

                    _ = idle.Arm();
                }
            }
        }
    }

    private void BeginLead()
    {
        if (!_lead.IsHeld)
        {
            _lead = queue.TakeLead();
        }

        _isGathering = false;
        queue.TakeWork();
    }

    private bool WaitAtGate()
    {
        _isWaiting = true;
        int atRest = idle.IsArmed ? idle.Milliseconds : Timeout.Infinite;
        int pause = queue.IsEmpty ? atRest : queue.HasObstacle ? CommitPump.RetryMilliseconds : CommitPump.GatherMilliseconds;
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
