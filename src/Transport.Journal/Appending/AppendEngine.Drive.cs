using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal.Appending;

/// <content>Where commits overlap: one thread begins each of them, waits for all of them, and tells in order. Who appends never commits himself then.</content>
internal sealed partial class AppendEngine
{
    private bool _driverOwns;        // the right to commit, as long as anything is under way
    private bool _driverWaits;       // at the gate
    private bool _driverIsInDevice;  // and might begin another commit
    private bool _driverEnds;
    private bool _retryNow;

    /// <summary>Under the gate: there is something to commit.</summary>
    private void NudgeDriver()
    {
        StartPump();
        _retryNow = true;
        if (_driverIsInDevice)
        {
            _driverIsInDevice = false;
            _writer.Wake();
        }
        else if (_driverWaits)
        {
            _driverWaits = false;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Under the gate: what was in the way may be gone.</summary>
    private void RetryNow()
    {
        if (_drives && !_queue.IsEmpty && !_isClosing)
        {
            NudgeDriver();
        }
        else
        {
            NudgePump();
        }
    }

    private void Drive()
    {
        while (NextStep(out bool begins))
        {
            Exception? trouble = begins ? CommitWork(begin: true) : Reap();
            Waiter? done;
            TaskCompletionSource<bool>? progress;
            JournalException? fault = null;
            lock (_gate)
            {
                done = Publish(trouble, 0, long.MaxValue, ref fault, out progress);
            }

            Tell(done);
            TellNews();
            progress?.TrySetResult(true);
        }
    }

    private JournalException? Reap()
    {
        try
        {
            _ = _writer.Reap();
            return null;
        }
        catch (JournalException e)
        {
            return e;
        }
    }

    /// <summary>Waits until there is something to do: to begin a commit, or to wait for those that are under way.</summary>
    /// <returns>False at the end.</returns>
    private bool NextStep(out bool begins)
    {
        lock (_gate)
        {
            _driverIsInDevice = false;
            bool retry = false;
            while (true)
            {
                retry |= _retryNow;
                _retryNow = false;
                bool hasWork = _failure is null && (_work is not null || !_queue.IsEmpty) && (_obstacle is null || retry);
                bool mayWork = _driverOwns || !_isBusy;
                begins = hasWork && mayWork && !_writer.IsFlightFull;
                if (begins)
                {
                    _driverOwns = _isBusy = true;
                    _work ??= _queue.TakeAll();
                    return true;
                }

                if (_driverOwns && !_writer.IsFlightEmpty)
                {
                    _driverIsInDevice = !_writer.IsFlightFull;
                    return true;
                }

                if (_driverOwns)
                {
                    _driverOwns = _isBusy = false;
                    PulseIdle();
                }

                if (_driverEnds && (!hasWork || !mayWork))
                {
                    return false;
                }

                _driverWaits = true;
                retry = !Monitor.Wait(_gate, _obstacle is null ? Timeout.Infinite : RetryMilliseconds);
                _driverWaits = false;
            }
        }
    }
}
