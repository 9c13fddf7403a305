using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

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
        else
        {
            WakeDriver();
        }
    }

    /// <summary>Under the gate: who drives looks at the queue, if he waits at the gate.</summary>
    private void WakeDriver()
    {
        if (_driverWaits)
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
            bool retry = false, gathered = false;
            while (true)
            {
                retry |= _retryNow;
                _retryNow = false;
                bool isWorthIt = _work is not null || (!_queue.IsEmpty && (_queue.HasEnough || !_waiting.IsEmpty || gathered || _driverEnds));
                bool hasWork = _failure is null && isWorthIt && (_obstacle is null || retry);
                bool mayWork = _driverOwns || !_isBusy;
                begins = hasWork && mayWork && !_writer.IsFlightFull;
                if (begins)
                {
                    _driverOwns = _isBusy = true;
                    Volatile.Write(ref _pumpGathers, false);
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
                retry = gathered = !Monitor.Wait(_gate, _obstacle is not null ? RetryMilliseconds : _queue.IsEmpty ? Timeout.Infinite : GatherMilliseconds);
                _driverWaits = false;
            }
        }
    }

    /// <summary>Under the gate: sees that there is somebody to commit what nobody waits for.</summary>
    private void StartPump()
    {
        if (_pumpIsOver is not null)
        {
            return;
        }

        _pumpIsOver = new ManualResetEventSlim();
        if (!Threads.TryStart(new Thread(RunPump) { IsBackground = true, Name = "journal" }.Start))
        {
            // One of the pool's does, if later.
            ThreadPool.UnsafeQueueUserWorkItem(static engine => ((AppendEngine)engine!).RunPump(), this);
        }
    }

    private void RunPump()
    {
        Action run = _drives ? Drive : Pump;
        run();
        _pumpIsOver!.Set();
    }
}
