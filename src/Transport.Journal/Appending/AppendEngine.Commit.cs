using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <content>The right to commit: who has it, and what it does.</content>
internal sealed partial class AppendEngine
{
    /// <summary>How many commits a thread makes for others once its own is made, before it hands the right on: waking the next one takes longer than that.</summary>
    private const int CommitsForOthers = 1;

    /// <summary>Of writes that are not synced one in this many is timed: reading the clock twice costs a tenth of one.</summary>
    private const int TimedWrites = 8;

    private AppendBatch? _work;      // of who has the right
    private AppendBatch? _written;
    private int _untimed;
    private JournalException? _news;   // to be told outside of the gate

    /// <summary>Under the gate: takes the right to commit, or stands in line.</summary>
    /// <returns>The place in line, or null with the right.</returns>
    private ThreadWaiter? Join(long first, long position)
    {
        if (!_isBusy && !_drives)
        {
            _isBusy = true;
            _work = _queue.TakeAll();
            return null;
        }

        ThreadWaiter waiter = _freeWaiters ?? new ThreadWaiter();
        _freeWaiters = (ThreadWaiter?)waiter.Next;
        (waiter.First, waiter.Position, waiter.Fault) = (first, position, null);
        _waiting.Add(waiter);
        if (_drives)
        {
            NudgeDriver();
        }

        return waiter;
    }

    /// <summary>
    /// Under the gate: where acknowledged means written and nobody else is at it, writes the one record that was just appended, without leaving the gate in between. A write takes less than
    /// handing the right over and back.
    /// </summary>
    /// <returns>Whether it is written; otherwise the caller has the right, if <paramref name="trouble"/> is set, or nothing has happened.</returns>
    private bool WriteAtOnce(int whole, out Exception? trouble)
    {
        trouble = null;
        if (_isSyncedFirst || _isBusy || _obstacle is not null || !_waiting.IsEmpty || !_writer.Fits(whole) || IsSyncLate)
        {
            return false;
        }

        _isBusy = true;
        _work = _queue.TakeAll();
        trouble = CommitWork() ?? _failure;
        if (trouble is not null)
        {
            return false;
        }

        _isBusy = false;
        Volatile.Write(ref _committed, _writer.Written);
        _queue.Return(_written);
        _written = null;
        ArmIdleMark();
        PrepareNext();
        return true;
    }

    /// <summary>Commits, or waits until somebody has.</summary>
    private void Finish(long first, long position, ThreadWaiter? waiter, Exception? early = null)
    {
        JournalException? fault;
        if (waiter is null)
        {
            fault = Lead(position, first, early);
        }
        else
        {
            bool leads = waiter.Wait();
            fault = waiter.Fault;
            lock (_gate)
            {
                waiter.Next = _freeWaiters;
                _freeWaiters = waiter;
                if (leads)
                {
                    _work ??= _queue.TakeAll();
                }
            }

            if (leads)
            {
                fault = Lead(position, first);
            }
        }

        if (fault is not null)
        {
            throw fault.Again();
        }
    }

    /// <summary>Commits with the right that the caller has, until a position is acknowledged, and gives the right on.</summary>
    /// <returns>Why that position will not be acknowledged, or null.</returns>
    private JournalException? Lead(long position, long first, Exception? early = null)
    {
        int others = 0;
        while (true)
        {
            Exception? trouble = early ?? CommitWork();
            early = null;
            Waiter? done;
            ThreadWaiter? next = null;
            TaskCompletionSource<bool>? progress;
            JournalException? fault = null;
            bool stop;
            lock (_gate)
            {
                done = Publish(trouble, first, position, ref fault, out progress);
                stop = trouble is not null || _failure is not null || (_work is null && (_queue.IsEmpty || (_waiting.IsEmpty && !_queue.HasEnough)));
                if (stop)
                {
                    _isBusy = false;
                    PulseIdle();
                    if (trouble is null && !_queue.IsEmpty)
                    {
                        Gather();
                    }
                }
                else if (_committed >= position && others++ >= CommitsForOthers)
                {
                    stop = true;
                    next = _waiting.TakeFirstThread();
                    if (next is null)
                    {
                        PumpLeads();
                    }
                }
                else
                {
                    _work ??= _queue.TakeAll();
                }
            }

            next?.Tell(leads: true);
            Tell(done);
            TellNews();
            progress?.TrySetResult(true);
            if (stop)
            {
                return fault;
            }
        }
    }

    /// <summary>Writes what was taken and does what the policy asks for; or only begins that, for one batch, where commits overlap. Without the gate.</summary>
    private Exception? CommitWork(bool begin = false)
    {
        try
        {
            WaitForLateSync();
            bool timed = _isSyncedFirst || ++_untimed % TimedWrites == 0;
            long began = timed ? Stopwatch.GetTimestamp() : 0;
            bool one = _options.Sync == JournalSync.Always;
            while (_work is { } batch)
            {
                _writer.Write(batch, one);
                if (batch.Done == batch.Used)
                {
                    _work = batch.Next;
                    batch.Next = _written;
                    _written = batch;
                }

                if (one || begin)
                {
                    break;
                }
            }

            if (_isSyncedFirst && !begin)
            {
                _writer.Sync();
            }

            if (_writer.IsInBlocks)
            {
                return null;   // timed where it is complete
            }

            if (timed)
            {
                _times.Add(Stopwatch.GetTimestamp() - began);
            }
            else
            {
                _times.AddUntimed();
            }

            return null;
        }
        catch (Exception e) when (e is CommitRefused or JournalException)
        {
            return e;
        }
        catch (Exception e)
        {
            // Nobody may wait for ever because of a mistake in here.
            return new JournalException(JournalFault.WriteFailed, "Writing failed: " + e.Message, e);
        }
    }

    /// <summary>Under the gate: moves on what is acknowledged; returns who is to be told.</summary>
    private Waiter? Publish(Exception? trouble, long first, long position, ref JournalException? fault, out TaskCompletionSource<bool>? progress)
    {
        trouble ??= _failure;   // the sync thread's, meanwhile
        long committed = _isSyncedFirst ? _writer.Synced : _writer.Written;
        if (committed > _committed)
        {
            Volatile.Write(ref _committed, committed);
        }

        _queue.Return(_written);
        _written = null;
        Waiter? done = _waiting.TakeUpTo(_committed);
        progress = null;
        if (trouble is CommitRefused refused)
        {
            fault = position > _committed ? refused.Fault : null;   // before what is refused counts as done with
            done = Chain(done, RefuseWaiting(refused.Fault, first, position));
            NudgePump();
        }
        else if (trouble is not null)
        {
            done = Chain(done, FailLocked((JournalException)trouble));
            fault = position > _committed ? _failure : null;
        }
        else
        {
            _obstacle = null;
        }

        if (_waitingForRoom > 0)
        {
            Monitor.PulseAll(_gate);
        }

        if (_progress is not null)
        {
            (progress, _progress) = (_progress, null);
        }

        ArmIdleMark();
        PrepareNext();
        return done;
    }

    /// <summary>There is no room for what waits: who waits for his own packets is refused, and they are not written; what was queued without waiting stays, to be tried again.</summary>
    private Waiter? RefuseWaiting(JournalException fault, long first, long position)
    {
        _news = _obstacle is null ? fault : _news;
        _obstacle = fault;
        if (_work is not null)
        {
            _queue.PutBack(_work);
            _work = null;
        }

        bool onlyRefused = position > _committed && first > 0 && _queue.Refuse(Math.Max(first, _committed + 1), position);
        Waiter? refused = _waiting.TakeUpTo(long.MaxValue);
        for (Waiter? at = refused; at is not null; at = at.Next)
        {
            at.Fault = fault.Again();
            if (at.First > 0)
            {
                onlyRefused = _queue.Refuse(at.First, at.Position);
            }
        }

        if (onlyRefused)
        {
            _queue.Return(_queue.TakeAll());
            _writer.LeaveOut(_appended);
            Volatile.Write(ref _committed, _appended);   // nothing up to there is still to come
        }

        return refused;
    }

    /// <summary>Under the gate: the journal takes nothing more.</summary>
    private Waiter? FailLocked(JournalException failure)
    {
        if (_failure is null)
        {
            Volatile.Write(ref _failure, failure);
            _news = failure;
        }

        return Drop(_failure!);
    }

    /// <summary>Under the gate: gives up what is queued, and who waits for it.</summary>
    private Waiter? Drop(JournalException fault)
    {
        _queue.Return(_work);
        _work = null;
        _queue.Return(_queue.TakeAll());
        Waiter? all = _waiting.TakeUpTo(long.MaxValue);
        for (Waiter? at = all; at is not null; at = at.Next)
        {
            at.Fault = fault.Again();
        }

        return all;
    }
}
