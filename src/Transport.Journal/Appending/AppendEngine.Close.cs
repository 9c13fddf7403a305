using System.Threading;

namespace Transport.Journal;

/// <content>The end.</content>
internal sealed partial class AppendEngine
{
    /// <summary>Writes and syncs what is queued, writes the close record, ends the threads, gives the directory free. Only the first call does anything.</summary>
    /// <returns>Why something queued is not on the disk, or null.</returns>
    public JournalException? Close()
    {
        lock (_gate)
        {
            if (_isClosing)
            {
                while (!_isClosed)
                {
                    Monitor.Wait(_gate);
                }

                return null;
            }

            _isClosing = true;
        }

        EndThreads();
        JournalException? fault = CommitRest();
        try
        {
            if (_failure is null)
            {
                if (fault is not null)
                {
                    _writer.LeaveOut(_appended);   // what found no room has positions that somebody knows
                }

                _writer.Sync();
                _writer.WriteClose();
            }
        }
        catch (JournalException e)
        {
            fault = e;
            Volatile.Write(ref _failure, e);
        }
        catch (CommitRefused)
        {
            // All is synced; only the close record found no room.
        }

        _writer.Dispose();
        _directory.Dispose();
        Waiter? left;
        lock (_gate)
        {
            left = Drop(_failure ?? new JournalException(JournalFault.Closed, "The journal was closed before this was acknowledged."));
            Volatile.Write(ref _isClosed, true);
            Monitor.PulseAll(_gate);
        }

        Tell(left);
        Interlocked.Exchange(ref _progress, null)?.TrySetResult(true);
        return fault;
    }

    /// <summary>Waits until nobody commits, then commits what is left on this thread.</summary>
    private JournalException? CommitRest()
    {
        long last;
        lock (_gate)
        {
            while (_isBusy)
            {
                Monitor.Wait(_gate);
            }

            if (_failure is not null || _queue.IsEmpty)
            {
                return _failure;
            }

            last = _appended;
            _isBusy = true;
            _work = _queue.TakeAll();
        }

        // Always commits one append at a time, and others may wait: until all is there, or there is trouble.
        return Lead(last, 0);
    }

    private void EndThreads()
    {
        _idle?.Dispose();
        lock (_syncLock)
        {
            _syncerEnds = true;
            Monitor.PulseAll(_syncLock);
        }

        _syncer?.Join();
        lock (_gate)
        {
            while (_isBusy && _failure is null)
            {
                Monitor.Wait(_gate);
            }
        }

        lock (_gate)
        {
            _driverEnds = true;
            Monitor.PulseAll(_gate);
        }

        lock (_pumpLock)
        {
            _pumpEnds = true;
            Monitor.PulseAll(_pumpLock);
        }

        _pumpIsOver?.Wait();
    }
}
