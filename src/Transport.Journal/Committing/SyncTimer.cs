using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Journal;

/// <summary>Syncs each second, for <see cref="JournalSync.EverySecond"/>, on a thread of its own, beside the writers.</summary>
internal sealed class SyncTimer
{
    private const int SecondMilliseconds = 1000;

    private readonly object _lock = new();
    private readonly CommitQueue _queue;
    private readonly SegmentWriter _writer;
    private readonly int _milliseconds;
    private readonly Thread _thread;
    private bool _isEnding;
    private long _syncBegan;   // stopwatch ticks, 0 while none runs; changed under the lock, read by appenders without

    public SyncTimer(JournalOptions options, CommitQueue queue, SegmentWriter writer)
    {
        (_queue, _writer, _milliseconds) = (queue, writer, options.SyncMilliseconds);
        _thread = new Thread(Run) { IsBackground = true, Name = "journal sync" };
        _thread.Start();
    }

    /// <summary>Gets a value indicating whether the sync that runs has run for a second. From any thread.</summary>
    /// <remarks>What is written then could be lost beyond the promise.</remarks>
    public bool IsLate => Volatile.Read(ref _syncBegan) is var began and not 0
        && Stopwatch.GetTimestamp() - began > Stopwatch.Frequency * _milliseconds / SecondMilliseconds;

    /// <summary>Waits for a late sync to end.</summary>
    public void WaitIfLate()
    {
        if (!IsLate)
        {
            return;
        }

        lock (_lock)
        {
            while (_syncBegan != 0)
            {
                Monitor.Wait(_lock);
            }
        }
    }

    /// <summary>Ends the thread and waits for that.</summary>
    public void End()
    {
        lock (_lock)
        {
            _isEnding = true;
            Monitor.PulseAll(_lock);
        }

        _thread.Join();
    }

    private void Run()
    {
        long last = Stopwatch.GetTimestamp();
        while (WaitForTurn(ref last))
        {
            JournalException? failure = null;
            try
            {
                _writer.Sync();
            }
            catch (Exception e)
            {
                failure = Faults.Unexpected("Syncing", e);
            }

            lock (_lock)
            {
                Volatile.Write(ref _syncBegan, 0);
                Monitor.PulseAll(_lock);
            }

            if (failure is not null)
            {
                _queue.Fail(failure);
                return;
            }
        }
    }

    /// <summary>Waits until a second has passed since the last turn and there is something to sync.</summary>
    /// <returns>False at the end.</returns>
    private bool WaitForTurn(ref long last)
    {
        lock (_lock)
        {
            while (true)
            {
                long left;
                while (!_isEnding && (left = LeftSince(last)) > 0)
                {
                    Monitor.Wait(_lock, (int)left);
                }

                if (_isEnding)
                {
                    return false;
                }

                last = Stopwatch.GetTimestamp();
                if (_writer.Written != _writer.Synced)
                {
                    Volatile.Write(ref _syncBegan, last);
                    return true;
                }
            }
        }
    }

    private long LeftSince(long last) => _milliseconds - ((Stopwatch.GetTimestamp() - last) * SecondMilliseconds / Stopwatch.Frequency);
}
