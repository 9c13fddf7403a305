using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <content>What the journal does by itself: the pump for what nobody commits on his own thread, the sync of each second, the mark of a pause, the next segment's file.</content>
internal sealed partial class AppendEngine
{
    private const int SecondMilliseconds = 1000;
    private const int RetryMilliseconds = 100;
    private const int LingerMicroseconds = 30;

    /// <summary>How long what was only queued may wait for company. A commit for each packet that a busy link brings cost a build of 52,000 packets a tenth of its CPU.</summary>
    private const int GatherMilliseconds = 10;

    /// <summary>The same where a record is safe from the end of this process once it is written.</summary>
    private const int GatherWritesMilliseconds = 2;

    private const int LingerSpins = 20;

    private readonly object _pumpLock = new();
    private readonly object _syncLock = new();
    private ManualResetEventSlim? _pumpIsOver;
    private Thread? _syncer;
    private Timer? _idle;
    private bool _pumpWanted;
    private bool _pumpHasRight;
    private bool _pumpGathers;
    private bool _pumpEnds;
    private bool _syncerEnds;
    private long _syncBegan;         // stopwatch ticks; 0: none runs
    private bool _isIdleArmed;
    private long _idleSeen;
    private long _marked;
    private long _preparedFor;

    /// <summary>Gets a value indicating whether the sync that runs has run for a second: what is written now could be lost beyond the promise.</summary>
    private bool IsSyncLate => Volatile.Read(ref _syncBegan) is var began and not 0 && Stopwatch.GetTimestamp() - began > Stopwatch.Frequency * _options.SyncMilliseconds / SecondMilliseconds;

    private void StartBackground()
    {
        _idle = new Timer(static state => ((AppendEngine)state!).OnIdle(), this, Timeout.Infinite, Timeout.Infinite);
        _marked = _idleSeen = _appended;
        if (_options.Sync == JournalSync.EverySecond)
        {
            _syncer = new Thread(SyncEachSecond) { IsBackground = true, Name = "journal sync" };
            _syncer.Start();
        }
    }

    /// <summary>Under the gate: there is something to commit that nobody waits for on his own thread.</summary>
    private void WakePump()
    {
        if (_drives)
        {
            NudgeDriver();
        }
        else if (!_isBusy)
        {
            _isBusy = true;
            PumpLeads();
        }
    }

    /// <summary>Under the gate: hands the right to commit to the pump.</summary>
    private void PumpLeads()
    {
        StartPump();
        lock (_pumpLock)
        {
            _pumpHasRight = _pumpWanted = true;
            Monitor.Pulse(_pumpLock);
        }
    }

    /// <summary>Under the gate: there is something to commit that nobody waits for yet. The pump lets it gather for a moment, and leaves the right to who wants to commit meanwhile.</summary>
    private void Gather()
    {
        if (_isBusy)
        {
            return;   // whoever commits looks at the queue when done
        }

        if (_queue.HasEnough)
        {
            WakePump();
        }
        else if (!Volatile.Read(ref _pumpGathers))
        {
            StartPump();
            lock (_pumpLock)
            {
                Volatile.Write(ref _pumpGathers, true);
                Monitor.Pulse(_pumpLock);
            }

            WakeDriver();
        }
    }

    /// <summary>Under the gate: there is an obstacle, so what is queued is to be tried again in a while.</summary>
    private void NudgePump()
    {
        if (_queue.IsEmpty || _isClosing || _drives)
        {
            return;   // who drives tries again by himself
        }

        StartPump();
        lock (_pumpLock)
        {
            Monitor.Pulse(_pumpLock);
        }
    }

    private void Pump()
    {
        while (true)
        {
            LingerAwake();
            lock (_pumpLock)
            {
                bool inTime = true;
                while (!_pumpWanted && !_pumpEnds && inTime)
                {
                    inTime = Monitor.Wait(_pumpLock, PauseOfPump());
                }

                if (_pumpEnds && !_pumpWanted)
                {
                    return;
                }

                _pumpWanted = false;
                Volatile.Write(ref _pumpGathers, false);   // before it looks at the queue: who found it set has put his packet there
            }

            if (TakeRightForPump())
            {
                _ = Lead(long.MaxValue, 0);
            }
        }
    }

    private int PauseOfPump()
    {
        if (_pumpGathers)
        {
            return _isSyncedFirst ? GatherMilliseconds : GatherWritesMilliseconds;
        }

        return Volatile.Read(ref _obstacle) is null ? Timeout.Infinite : RetryMilliseconds;
    }

    /// <summary>Stays awake for a moment: waking a thread costs who appends a hundred times the append.</summary>
    private void LingerAwake()
    {
        long until = Stopwatch.GetTimestamp() + (Stopwatch.Frequency * LingerMicroseconds / 1_000_000);
        while (!Volatile.Read(ref _pumpWanted) && Stopwatch.GetTimestamp() < until)
        {
            Thread.SpinWait(LingerSpins);
        }
    }

    private bool TakeRightForPump()
    {
        lock (_gate)
        {
            bool handed;
            lock (_pumpLock)
            {
                handed = _pumpHasRight;
                _pumpHasRight = false;
            }

            if (!handed && (_isBusy || _queue.IsEmpty || _failure is not null))
            {
                return false;
            }

            _isBusy = true;
            _work ??= _queue.TakeAll();
            return true;
        }
    }

    /// <summary>Under the gate: who closes waits until nobody commits.</summary>
    private void PulseIdle()
    {
        if (_isClosing)
        {
            Monitor.PulseAll(_gate);
        }
    }

    private void WaitForLateSync()
    {
        if (_syncer is null || !IsSyncLate)
        {
            return;
        }

        lock (_syncLock)
        {
            while (_syncBegan != 0)
            {
                Monitor.Wait(_syncLock);
            }
        }
    }

    private void SyncEachSecond()
    {
        long last = Stopwatch.GetTimestamp();
        while (true)
        {
            lock (_syncLock)
            {
                long left;
                while (!_syncerEnds && (left = _options.SyncMilliseconds - ((Stopwatch.GetTimestamp() - last) * SecondMilliseconds / Stopwatch.Frequency)) > 0)
                {
                    Monitor.Wait(_syncLock, (int)left);
                }

                if (_syncerEnds)
                {
                    return;
                }

                last = Stopwatch.GetTimestamp();
                if (_writer.Written == _writer.Synced)
                {
                    continue;
                }

                Volatile.Write(ref _syncBegan, last);
            }

            JournalException? failure = null;
            try
            {
                _writer.Sync();
            }
            catch (JournalException e)
            {
                failure = e;
            }

            lock (_syncLock)
            {
                Volatile.Write(ref _syncBegan, 0);
                Monitor.PulseAll(_syncLock);
            }

            if (failure is not null)
            {
                Fail(failure);
                return;
            }
        }
    }

    /// <summary>A failure that nobody's commit has found.</summary>
    private void Fail(JournalException failure)
    {
        Waiter? all;
        TaskCompletionSource<bool>? progress;
        lock (_gate)
        {
            // Who commits at this moment finds it when done, and drops what it has taken.
            all = null;
            if (!_isBusy)
            {
                all = FailLocked(failure);
            }
            else if (_failure is null)
            {
                _news = failure;
                Volatile.Write(ref _failure, failure);
            }

            (progress, _progress) = (_progress, null);
            Monitor.PulseAll(_gate);
        }

        Tell(all);
        progress?.TrySetResult(true);
        TellNews();
    }

    /// <summary>Under the gate: a pause that begins now will be marked.</summary>
    private void ArmIdleMark()
    {
        if (!_isIdleArmed && _marked != _committed && _options.IdleMarkMilliseconds > 0 && !_isClosing)
        {
            _isIdleArmed = true;
            _idleSeen = _committed;
            _ = _idle?.Change(_options.IdleMarkMilliseconds, Timeout.Infinite);
        }
    }

    private void OnIdle()
    {
        bool mark;
        lock (_gate)
        {
            _isIdleArmed = false;
            if (_isClosing || _failure is not null)
            {
                return;
            }

            bool unsynced = _writer.Synced < _writer.Written;   // not _committed: what was refused is never synced
            mark = !_isBusy && _queue.IsEmpty && _idleSeen == _committed && (!unsynced || _options.Sync != JournalSync.EverySecond);
            if (!mark)
            {
                ArmIdleMark();
                return;
            }

            _isBusy = true;
            _marked = _committed;
        }

        JournalException? failure = null;
        try
        {
            _writer.WriteIdleMark();
            if (_writer.IsInBlocks)
            {
                _writer.Sync();   // none of this thread's may be under way when another one goes on
            }
        }
        catch (JournalException e)
        {
            failure = e;
        }

        if (failure is not null)
        {
            EndIdleFailed(failure);
            return;
        }

        lock (_gate)
        {
            bool more = !_queue.IsEmpty || !_waiting.IsEmpty;
            if (more && _drives)
            {
                _isBusy = false;
                NudgeDriver();
            }
            else if (more)
            {
                PumpLeads();
            }
            else
            {
                _isBusy = false;
                PulseIdle();
            }
        }
    }

    /// <summary>The mark failed: the journal is over before anybody else gets the right to commit, in one step.</summary>
    private void EndIdleFailed(JournalException failure)
    {
        Waiter? all;
        TaskCompletionSource<bool>? progress;
        lock (_gate)
        {
            all = FailLocked(failure);
            _isBusy = false;
            (progress, _progress) = (_progress, null);
            Monitor.PulseAll(_gate);
        }

        Tell(all);
        progress?.TrySetResult(true);
        TellNews();
    }

    /// <summary>Under the gate: has the next segment's file made by the pool when this one is half full, once for each.</summary>
    private void PrepareNext()
    {
        if (_writer.IsHalfFull && _preparedFor != _writer.Sequence && !_isClosing)
        {
            _preparedFor = _writer.Sequence;
            _ = ThreadPool.UnsafeQueueUserWorkItem(static state => ((SegmentDirectory)state!).Prepare(), _directory);
        }
    }
}
