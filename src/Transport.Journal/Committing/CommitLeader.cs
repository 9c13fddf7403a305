using System;
using System.Diagnostics;

namespace Transport.Journal;

// appender ─ Join ─┬─ nobody leads ──> Commit ─> Publish ─┬─ its position is open, or one commit for others is due ─> Commit …
//                  │                                      ├─ more is due ─> the lead goes to the first that waits, or to the thread
//                  │                                      └─ nothing is due ─> the lead ends
//                  └─ another leads ─> stands in line ─> is committed, fails, or is handed the lead
//
// | policy            | one commit                         | committed when                                                        |
// |-------------------|------------------------------------|-----------------------------------------------------------------------|
// | Always            | one append, written and synced     | it is synced                                                          |
// | GroupCommit       | all that was taken, and one sync   | they are synced                                                       |
// | EverySecond, None | what was taken; a lone record at   | it is written; the timer syncs, and holds up commits once it is late  |
// |                   | once, under the gate               | (EverySecond)                                                         |

/// <summary>
/// What the leader does: writes, syncs, and hands the lead on. An appender that waits becomes the leader if there is none, so that no
/// thread is woken for a lone producer. States and lock order: CommitState.cs.
/// </summary>
internal sealed class CommitLeader
{
    /// <summary>How many commits a thread makes for others after its own before it hands the lead on. Waking one takes longer.</summary>
    private const int CommitsForOthers = 1;

    /// <summary>Of writes that are not synced one in this many is timed: reading the clock twice costs a tenth of one.</summary>
    private const int TimedWrites = 8;

    private readonly object _gate;
    private readonly CommitQueue _queue;
    private readonly SegmentWriter _writer;
    private readonly CommitTimes _times;
    private readonly SyncTimer? _syncTimer;
    private readonly IdleMark _idleMark;
    private readonly CommitThread _thread;
    private readonly bool _isSyncedFirst;
    private readonly bool _isOneAppend;
    private ThreadWaiter? _freeWaiters;
    private int _untimed;

    public CommitLeader(object gate, JournalOptions options, CommitQueue queue, SegmentWriter writer, CommitTimes times)
    {
        (_gate, _queue, _writer, _times) = (gate, queue, writer, times);
        _isSyncedFirst = queue.IsSyncedFirst;
        _isOneAppend = options.Sync == JournalSync.Always;
        _idleMark = new IdleMark(options, queue, writer);
        _thread = writer.IsInBlocks
            ? new BlockDriver(gate, queue, writer, this, _idleMark)
            : new CommitPump(gate, queue, this, _idleMark);
        _syncTimer = options.Sync == JournalSync.EverySecond ? new SyncTimer(options, queue, writer) : null;
    }

    /// <summary>Gets the journal's own thread.</summary>
    public CommitThread Thread => _thread;

    /// <summary>Gets a value indicating whether what is written now could be lost beyond the promise of a second.</summary>
    public bool IsSyncLate => _syncTimer is { IsLate: true };

    /// <summary>Under the gate: takes the lead, or stands in line.</summary>
    /// <param name="first">The first position that the caller has appended; 0 without one.</param>
    /// <param name="position">The position that it waits for.</param>
    /// <param name="lead">The lead, which the caller hands to <see cref="Finish"/>; not held by who stands in line.</param>
    /// <returns>The place in line; null for the leader.</returns>
    public ThreadWaiter? Join(long first, long position, out CommitLead lead)
    {
        if (!_queue.IsLed && !_thread.IsSoleLeader)
        {
            _queue.TakeWork();
            lead = _queue.TakeLead();
            return null;
        }

        lead = default;
        ThreadWaiter waiter = _freeWaiters ?? new ThreadWaiter();
        _freeWaiters = (ThreadWaiter?)waiter.Next;
        (waiter.First, waiter.Position, waiter.Fault) = (first, position, null);
        _queue.Add(waiter);
        _thread.NoteWaiter();
        return waiter;
    }

    /// <summary>
    /// Under the gate: writes the one record that was just appended without leaving the gate, if committed means written and nobody else
    /// commits. A write takes less time than handing the lead over and back.
    /// </summary>
    /// <param name="whole">The bytes of the record.</param>
    /// <param name="lead">Held if there was trouble: the caller leads.</param>
    /// <param name="trouble">What went wrong, or null.</param>
    /// <returns>Whether it is written; if not, and there was no trouble, nothing has happened.</returns>
    public bool TryWriteAtOnce(int whole, out CommitLead lead, out Exception? trouble)
    {
        (lead, trouble) = (default, null);
        if (_isSyncedFirst || _queue.IsLed || _queue.HasObstacle || _queue.HasWaiters || whole > _writer.Capacity || IsSyncLate)
        {
            return false;
        }

        _queue.TakeWork();
        lead = _queue.TakeLead();
        trouble = Commit(atOnce: true) ?? _queue.Failure;
        if (trouble is not null)
        {
            return false;
        }

        lead.End();
        _queue.CommitWritten();
        LookAhead();
        return true;
    }

    /// <summary>Commits as the leader, or waits until somebody has.</summary>
    /// <exception cref="JournalException">The position will not be committed.</exception>
    public void Finish(long first, long position, ThreadWaiter? waiter, CommitLead lead, Exception? early = null)
    {
        JournalException? fault;
        if (waiter is null)
        {
            fault = Lead(lead, position, first, early);
        }
        else
        {
            lead = waiter.Wait();
            fault = waiter.Fault;
            lock (_gate)
            {
                waiter.Next = _freeWaiters;
                _freeWaiters = waiter;
                if (lead.IsHeld)
                {
                    _queue.TakeWork();
                }
            }

            if (lead.IsHeld)
            {
                fault = Lead(lead, position, first);
            }
        }

        if (fault is not null)
        {
            throw fault.Again();
        }
    }

    /// <summary>Commits as the leader until a position is committed, and ends the lead or passes it on.</summary>
    /// <param name="lead">The lead.</param>
    /// <param name="position">The position.</param>
    /// <param name="first">The first position that the caller has appended; 0 without one.</param>
    /// <param name="early">What the first commit came to, if the caller has made it already.</param>
    /// <param name="isPause">Whether nothing is there but a pause to mark, which is the first commit.</param>
    /// <returns>Why that position will not be committed, or null.</returns>
    public JournalException? Lead(CommitLead lead, long position, long first, Exception? early = null, bool isPause = false)
    {
        try
        {
            return LeadOn(lead, position, first, early, isPause);
        }
        catch (Exception e)
        {
            JournalException failure = Faults.Unexpected("Committing", e);
            _queue.Fail(failure, lead);
            return failure;
        }
        finally
        {
            lead.Dispose();
        }
    }

    private JournalException? LeadOn(CommitLead lead, long position, long first, Exception? early, bool isPause)
    {
        int others = 0;
        while (true)
        {
            Exception? trouble = early ?? (isPause ? Mark() : Commit());
            (early, isPause) = (null, false);
            ThreadWaiter? next = null;
            CommitLead passed = default;
            CommitReport report;
            JournalException? fault;
            bool stop;
            lock (_gate)
            {
                report = Publish(trouble, first, position, out fault);
                stop = trouble is not null || _queue.HasFailed || !_queue.IsCommitDue;
                if (stop)
                {
                    lead.End();
                    if (trouble is null && !_queue.IsEmpty)
                    {
                        _thread.Gather();
                    }
                }
                else if (_queue.Committed >= position && others++ >= CommitsForOthers)
                {
                    stop = true;
                    next = _queue.TakeFirstThread();
                    if (next is null)
                    {
                        _thread.TakeOver(lead);
                    }
                    else
                    {
                        passed = lead.Pass();
                    }
                }
                else
                {
                    _queue.TakeWork();
                }
            }

            next?.Wake(passed);
            _queue.Report(report);
            _times.Report();
            if (stop)
            {
                return fault;
            }
        }
    }

    /// <summary>
    /// As the leader, without the gate: writes what was taken and does what the policy asks for; or only begins to write one batch, if
    /// commits overlap.
    /// </summary>
    /// <param name="begin">Whether only one batch is begun.</param>
    /// <param name="atOnce">Whether the gate is held: then a sync that became late just now is not waited for. One record more is within
    /// the promise as well as the one before it, and TryAppend waits at the gate.</param>
    /// <returns>Why not all of it is written; null if it is.</returns>
    public Exception? Commit(bool begin = false, bool atOnce = false)
    {
        try
        {
            if (!atOnce)
            {
                _syncTimer?.WaitIfLate();
            }

            bool timed = _isSyncedFirst || ++_untimed % TimedWrites == 0;
            long began = timed ? Stopwatch.GetTimestamp() : 0;
            while (_queue.Work is { } batch)
            {
                _writer.Write(batch, _isOneAppend);
                if (batch.Done == batch.Used)
                {
                    _queue.Work = batch.Next;
                    batch.Next = _queue.Written;
                    _queue.Written = batch;
                }

                if (_isOneAppend || begin)
                {
                    break;
                }
            }

            if (_isSyncedFirst && !begin)
            {
                _writer.Sync();
            }

            if (!_writer.IsInBlocks)   // those are timed when they are complete
            {
                Count(timed, began);
            }

            return null;
        }
        catch (Exception e) when (e is CommitRefused or JournalException)
        {
            return e;
        }
        catch (Exception e)
        {
            // Nobody may wait forever because of a mistake in here.
            return Faults.Unexpected("Writing", e);
        }
    }

    /// <summary>As the leader, without the gate: writes the mark of a pause.</summary>
    /// <returns>Why it could not be written; null if it is, or if there was no capacity for it.</returns>
    public Exception? Mark()
    {
        try
        {
            _writer.WriteIdleMark();
            if (_writer.IsInBlocks)
            {
                _writer.Sync();   // the thread that leads next must find none of this under way
            }

            return null;
        }
        catch (Exception e)
        {
            return Faults.Unexpected("Writing", e);
        }
    }

    /// <summary>Under the gate: counts what the leader has done as committed.</summary>
    public CommitReport Publish(Exception? trouble, long first, long position, out JournalException? fault)
    {
        CommitReport report = _queue.Publish(trouble, first, position, out fault);
        if (trouble is CommitRefused)
        {
            _thread.RetryLater();
        }

        LookAhead();
        return report;
    }

    /// <summary>Tells listeners how long the last commit took. Without the gate.</summary>
    public void ReportTimes() => _times.Report();

    /// <summary>Ends the threads and timers; what is queued stays. Without the gate, after <see cref="CommitQueue.BeginClose"/>.</summary>
    public void EndThreads()
    {
        _syncTimer?.End();
        lock (_gate)
        {
            _queue.WaitForLeader(orFailure: true);
        }

        _thread.End();
    }

    /// <summary>Waits until nobody commits, then commits what is left on this thread. Without the gate.</summary>
    public JournalException? CommitRest()
    {
        long last;
        CommitLead lead;
        lock (_gate)
        {
            _queue.WaitForLeader(orFailure: false);
            if (_queue.HasFailed || _queue.IsEmpty)
            {
                return _queue.Failure;
            }

            last = _queue.Appended;
            _queue.TakeWork();
            lead = _queue.TakeLead();
        }

        // Always commits one append at a time, and others may wait: until all is there, or there is trouble.
        return Lead(lead, last, 0);
    }

    /// <summary>Under the gate: what follows a commit that nobody waits for.</summary>
    private void LookAhead()
    {
        if (_idleMark.Arm())
        {
            _thread.NotePause();
        }

        _writer.Rotation.PrepareNext(_writer, _queue);
    }

    private void Count(bool timed, long began)
    {
        if (timed)
        {
            _times.Add(Stopwatch.GetTimestamp() - began);
        }
        else
        {
            _times.AddUntimed();
        }
    }
}
