using System;
using System.Threading;

namespace Transport.Journal;

/// <summary>Writes a Mark in a pause, which says what is synced. Without it the last commit's own position stands in no record.</summary>
internal sealed class IdleMarker : IDisposable
{
    private readonly object _gate;
    private readonly CommitQueue _queue;
    private readonly SegmentWriter _writer;
    private readonly CommitThread _thread;
    private readonly Timer _timer;
    private readonly int _milliseconds;
    private readonly bool _isSyncedByTimer;
    private bool _isArmed;
    private long _seen;
    private long _marked;

    public IdleMarker(object gate, JournalOptions options, CommitQueue queue, SegmentWriter writer, CommitThread thread)
    {
        (_gate, _queue, _writer, _thread) = (gate, queue, writer, thread);
        _milliseconds = options.IdleMarkMilliseconds;
        _isSyncedByTimer = options.Sync == JournalSync.EverySecond;
        _marked = _seen = queue.Last;
        _timer = new Timer(static state => ((IdleMarker)state!).OnPause(), this, Timeout.Infinite, Timeout.Infinite);
    }

    /// <summary>Under the gate: a pause that begins now will be marked.</summary>
    public void Arm()
    {
        if (!_isArmed && _marked != _queue.Acknowledged && _milliseconds > 0 && !_queue.IsClosing)
        {
            _isArmed = true;
            _seen = _queue.Acknowledged;
            _ = _timer.Change(_milliseconds, Timeout.Infinite);
        }
    }

    public void Dispose() => _timer.Dispose();

    private void OnPause()
    {
        lock (_gate)
        {
            if (!TryLead())
            {
                return;
            }
        }

        try
        {
            _writer.WriteIdleMark();
            if (_writer.IsInBlocks)
            {
                _writer.Sync();   // none of this thread's may be under way when another one goes on
            }
        }
        catch (Exception e)
        {
            // The journal is over before anybody else can lead, in one step.
            _queue.Fail(Faults.Unexpected("Writing", e), leads: true);
            return;
        }

        JournalException? failure;
        lock (_gate)
        {
            failure = _queue.Cause;
            if (failure is null)
            {
                if (!_queue.IsEmpty || _queue.HasWaiters)
                {
                    _thread.TakeOver();
                }
                else
                {
                    _queue.EndLead();
                }
            }
        }

        if (failure is not null)
        {
            // Another thread's, meanwhile (a sync by the timer). It left those who wait to the leader, which this is; the thread that would
            // take over may have ended.
            _queue.Fail(failure, leads: true);
        }
    }

    /// <summary>Under the gate: takes the lead if there is a pause to mark; otherwise waits for the next one.</summary>
    private bool TryLead()
    {
        _isArmed = false;
        if (_queue.IsClosing || _queue.HasFailed)
        {
            return false;
        }

        bool isUnsynced = _writer.Synced < _writer.Written;   // not what is committed: what was refused is never synced
        bool isPause = !_queue.IsLed && _queue.IsEmpty && _seen == _queue.Acknowledged && !(isUnsynced && _isSyncedByTimer);
        if (!isPause)
        {
            Arm();
            return false;
        }

        _queue.TakeLead();
        _marked = _queue.Acknowledged;
        return true;
    }
}
