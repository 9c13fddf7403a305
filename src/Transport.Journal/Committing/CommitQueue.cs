using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>
/// What was appended, who waits for it, and the state of the journal (see CommitState.cs). All members are for who holds the gate, but for
/// those that say otherwise.
/// </summary>
internal sealed class CommitQueue
{
    private readonly object _gate;
    private readonly SegmentWriter _writer;
    private readonly CommitReporter _reporter;
    private readonly AppendQueue _records;
    private readonly WaiterLine _waiting = new();
    private readonly long _mostQueued;
    private readonly bool _isSyncedFirst;
    private CommitState _state;
    private int _term;                     // of the lead; changed under the gate; only who has the lead finds its own here, without it
    private TaskCompletionSource<bool>? _progress;
    private JournalException? _failure;    // set once under the gate; read by any thread
    private JournalException? _obstacle;   // changed under the gate; the pump reads it without
    private JournalException? _news;
    private bool _isTriedAgain;            // the leader has what found no capacity
    private int _waitingForCapacity;
    private long _appended;                // changed under the gate; read by any thread; falls back behind what was refused
    private long _highest;                 // it was never higher, when it fell back
    private long _committed;               // changed under the gate; read by any thread

    public CommitQueue(object gate, JournalOptions options, SegmentWriter writer, CommitReporter reporter)
    {
        (_gate, _writer, _reporter) = (gate, writer, reporter);
        _records = new AppendQueue(options.BatchBytes, options.MaxQueuedBytes, writer.Epoch, options.Allocate);
        _mostQueued = options.MaxQueuedBytes;
        _isSyncedFirst = options.Sync is JournalSync.GroupCommit or JournalSync.Always;
        _appended = _committed = writer.Written;
    }

    /// <summary>Gets the position appended last. From any thread.</summary>
    public long Appended => Volatile.Read(ref _appended);

    /// <summary>Gets the position up to which all is committed: written, and synced if <see cref="IsSyncedFirst"/>. From any
    /// thread.</summary>
    public long Committed => Volatile.Read(ref _committed);

    /// <summary>Gets why nothing more is taken, or null. From any thread.</summary>
    public JournalException? Failure => Volatile.Read(ref _failure);

    /// <summary>Gets a value indicating whether there was no capacity for what is queued when it was tried last. From any thread.</summary>
    public bool HasObstacle => Obstacle is not null;

    /// <summary>Gets why there was no capacity for what is queued when it was tried last; null if there was. From any thread.</summary>
    public JournalException? Obstacle => Volatile.Read(ref _obstacle);

    /// <summary>Gets a value indicating whether the journal has failed. From any thread.</summary>
    public bool HasFailed => Failure is not null;

    /// <summary>Gets a value indicating whether committed means synced.</summary>
    public bool IsSyncedFirst => _isSyncedFirst;

    /// <summary>Gets a value indicating whether some thread commits.</summary>
    public bool IsLed => _state is CommitState.Leading or CommitState.ClosingLeading;

    /// <summary>Gets a value indicating whether nothing is taken any more because the journal is being closed, or is.</summary>
    public bool IsClosing => _state >= CommitState.Closing;

    /// <summary>Gets a value indicating whether nothing more will come.</summary>
    public bool IsOver => _state == CommitState.Closed || _failure is not null;

    public bool IsEmpty => _records.IsEmpty;

    public bool HasEnough => _records.HasEnough;

    public bool HasWaiters => !_waiting.IsEmpty;

    public long QueuedBytes => _records.Bytes;

    /// <summary>Gets a value indicating whether there is something that should be committed without waiting for more.</summary>
    public bool IsCommitDue => Work is not null || (!IsEmpty && (HasWaiters || HasEnough));

    /// <summary>Gets or sets what the leader has taken and not written yet. For the leader, also without the gate.</summary>
    public AppendBatch? Work { get; set; }

    /// <summary>Gets or sets what the leader has written. For the leader, also without the gate.</summary>
    public AppendBatch? Written { get; set; }

    /// <summary>Gets the term of the lead that is held, or was held last. From any thread.</summary>
    public int Term => _term;

    /// <summary>Makes the calling thread, or the one it acts for, the leader.</summary>
    /// <returns>The lead, which is to be ended or passed on.</returns>
    public CommitLead TakeLead()
    {
        _state = _state switch
        {
            CommitState.Idle => CommitState.Leading,
            CommitState.Closing => CommitState.ClosingLeading,
            _ => throw Wrong(nameof(TakeLead)),
        };
        return PassLead();
    }

    /// <summary>Gives the lead to another thread; for <see cref="CommitLead"/>.</summary>
    public CommitLead PassLead()
    {
        return new CommitLead(this, ++_term);
    }

    /// <summary>Ends the lead; for <see cref="CommitLead"/>. A thread that closes the journal may wait for that.</summary>
    public void EndLead()
    {
        _state = _state switch
        {
            CommitState.Leading => CommitState.Idle,
            CommitState.ClosingLeading => CommitState.Closing,
            _ => throw Wrong(nameof(EndLead)),
        };
        _term++;
        if (IsClosing || (_waitingForCapacity > 0 && _obstacle is not null))
        {
            Monitor.PulseAll(_gate);   // who waits for capacity is refused only when nobody leads
        }
    }

    /// <summary>Takes no more appends from here on.</summary>
    /// <returns>Whether this call was the first; otherwise it has waited until the journal is closed.</returns>
    public bool BeginClose()
    {
        if (IsClosing)
        {
            while (_state != CommitState.Closed)
            {
                Monitor.Wait(_gate);
            }

            return false;
        }

        _state = _state == CommitState.Idle ? CommitState.Closing : CommitState.ClosingLeading;
        return true;
    }

    /// <summary>Waits until nobody commits, or, if asked for, until the journal has failed.</summary>
    public void WaitForLeader(bool orFailure)
    {
        while (IsLed && !(orFailure && _failure is not null))
        {
            Monitor.Wait(_gate);
        }
    }

    /// <summary>Ends the closing: what is still queued is given up.</summary>
    /// <param name="failure">Why the last steps failed, or null.</param>
    public CommitReport EndClose(JournalException? failure)
    {
        // After an unexpected failure the lead may have got lost; the closing must end all the same.
        if (_state != CommitState.Closing && !(_state == CommitState.ClosingLeading && failure is not null))
        {
            throw Wrong(nameof(EndClose));
        }

        if (failure is not null)
        {
            Volatile.Write(ref _failure, failure);
        }

        Waiter? left = Drop(_failure ?? new JournalException(JournalFault.Closed, "The journal was closed before this was committed."));
        _state = CommitState.Closed;
        Monitor.PulseAll(_gate);
        CommitReport report = TakeReport(left);
        report.News = null;   // closing throws it
        return report;
    }

    /// <summary>Appends a packet, and says how many bytes its record has.</summary>
    /// <returns>Its position.</returns>
    public long Put(JournalNode node, ushort type, ReadOnlySpan<byte> body, long time, AppendNote note, out int whole)
    {
        whole = _records.Put(_appended + 1, node, type, body, time, note);   // may throw: then the position is not given out
        return ++_appended;
    }

    /// <summary>Gives up what was put from a position on and nobody waits for: gaps are written in its place.</summary>
    public void GiveUp(long first) => _records.Refuse(first, _appended);

    /// <summary>Adds who waits for a position.</summary>
    public void Add(Waiter waiter) => _waiting.Add(waiter);

    /// <summary>Takes out the first thread that waits, to let it commit; null without one.</summary>
    public ThreadWaiter? TakeFirstThread() => _waiting.TakeFirstThread();

    /// <summary>Gives all that is queued to the leader.</summary>
    public void TakeWork()
    {
        Work ??= _records.TakeAll();
        _isTriedAgain = _obstacle is not null && Work is not null;
    }

    /// <summary>Takes the task of those who wait for progress.</summary>
    public TaskCompletionSource<bool>? TakeProgress()
    {
        TaskCompletionSource<bool>? progress = _progress;
        _progress = null;
        return progress;
    }

    /// <summary>Returns a task that completes when something was committed after a position, or the journal is over.</summary>
    public Task ProgressAsync(long after)
    {
        if (_committed > after || IsOver)
        {
            return Task.CompletedTask;
        }

        _progress ??= new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        return _progress.Task;
    }

    /// <summary>Whether a position is committed. One that was refused, which somebody may have seen as the last one before, counts as
    /// the last one now.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It was not given out yet.</exception>
    public bool IsCommitted(ref long position)
    {
        if (position > Math.Max(_appended, _highest))
        {
            throw new ArgumentOutOfRangeException(nameof(position), position, $"The last position given out is {_appended}.");
        }

        position = Math.Min(position, _appended);
        return position <= _committed;
    }

    /// <summary>Whether a packet that nobody waits for is refused for lack of capacity. While what found none is tried again, the leader
    /// has all of it, and there is no capacity yet.</summary>
    public bool IsFull => _records.Bytes >= _mostQueued || (_obstacle is not null && (_isTriedAgain || !_records.IsEmpty));

    /// <summary>Copies packets that wait for capacity.</summary>
    /// <param name="lookedUpTo">Up to where the caller has read what is committed.</param>
    /// <param name="after">Packets behind this position.</param>
    /// <param name="most">About how many bytes.</param>
    /// <param name="into">Takes them.</param>
    /// <returns>False if the caller is to read what is committed, or to wait: something was committed meanwhile, or nothing is
    /// refused.</returns>
    public bool TryCopyWaiting(long lookedUpTo, long after, int most, List<WaitingPacket> into)
    {
        // While the leader has what is tried again, only what came behind it is here.
        if (_obstacle is null || _committed != lookedUpTo || Work is not null)
        {
            return false;
        }

        _records.Copy(after, most, into);
        return into.Count > 0;
    }

    /// <summary>Waits until the queue has capacity.</summary>
    /// <exception cref="JournalException">There will be none, or there is no capacity for what is queued.</exception>
    public void WaitForCapacity()
    {
        ThrowIfOver();
        while (_records.Bytes >= _mostQueued)
        {
            if (_obstacle is { } obstacle && !IsLed)
            {
                throw obstacle.Again();
            }

            _waitingForCapacity++;
            Monitor.Wait(_gate);
            _waitingForCapacity--;
            ThrowIfOver();
        }
    }

    /// <summary>Returns why nothing is taken, or null.</summary>
    public JournalException? WhyOver() =>
        _failure ?? (IsClosing ? new JournalException(JournalFault.Closed, "The journal is closed. Open it again.") : null);

    public void ThrowIfOver()
    {
        if (WhyOver() is { } fault)
        {
            throw fault.Again();
        }
    }

    /// <summary>Counts what the leader has written under the gate as committed: nobody waits for it.</summary>
    public void CommitWritten()
    {
        Volatile.Write(ref _committed, _writer.Written);
        _records.Return(Written);
        Written = null;
    }

    /// <summary>Counts what the leader has written, or synced, as committed.</summary>
    /// <param name="trouble">Why not all of its work is committed, or null.</param>
    /// <param name="first">The first position that the leader itself has appended and waits for; 0 without one.</param>
    /// <param name="position">The position that the leader itself waits for.</param>
    /// <param name="fault">Why that position will not be committed, or null.</param>
    public CommitReport Publish(Exception? trouble, long first, long position, out JournalException? fault)
    {
        _isTriedAgain = false;
        trouble ??= _failure;   // the sync timer's, meanwhile
        fault = null;
        long committed = _isSyncedFirst ? _writer.Synced : _writer.Written;
        bool isProgress = Written is not null || committed > _committed;   // a mark in a pause is none
        if (committed > _committed)
        {
            Volatile.Write(ref _committed, committed);
        }

        _records.Return(Written);
        Written = null;
        Waiter? done = _waiting.TakeUpTo(_committed);
        if (trouble is CommitRefused refused)
        {
            fault = position > _committed ? refused.Fault : null;   // before what is refused counts as done with
            done = WaiterLine.Chain(done, Refuse(refused.Fault, first, position));
        }
        else if (trouble is not null)
        {
            done = WaiterLine.Chain(done, SetFailure((JournalException)trouble));
            fault = position > _committed ? _failure : null;
        }
        else if (isProgress)
        {
            _obstacle = null;
        }

        if (_waitingForCapacity > 0)
        {
            Monitor.PulseAll(_gate);
        }

        return TakeReport(done);
    }

    /// <summary>Ends the journal because of a failure that no commit has found. Without the gate.</summary>
    /// <param name="failure">The failure.</param>
    /// <param name="lead">The caller's lead, which ends in the same step; the default value if it has none.</param>
    public void Fail(JournalException failure, CommitLead lead = default)
    {
        CommitReport report;
        lock (_gate)
        {
            Waiter? all = null;
            if (lead.IsHeld || !IsLed)
            {
                all = SetFailure(failure);
            }
            else if (_failure is null)
            {
                // The leader finds it when its commit is done, and drops what it has taken.
                _news = failure;
                Volatile.Write(ref _failure, failure);
            }

            if (lead.IsHeld)
            {
                lead.End();
            }

            report = TakeReport(all);
            Monitor.PulseAll(_gate);
        }

        Report(report);
    }

    /// <summary>Reports. Without the gate.</summary>
    public void Report(in CommitReport report) => _reporter.Report(report, Failure is not null);

    private static InvalidOperationException Wrong(string step) => new($"{step} does not fit the state of the journal.");

    /// <summary>Takes what is to be reported. Tasks are complete from here on, in order: also if another leader reports before this
    /// one.</summary>
    private CommitReport TakeReport(Waiter? done)
    {
        for (Waiter? at = done; at is not null; at = at.Next)
        {
            (at as AppendSource)?.Complete();
        }

        var report = new CommitReport { Done = done, Progress = _progress, News = _news };
        (_progress, _news) = (null, null);
        return report;
    }

    /// <summary>
    /// There is no capacity. Who waits for packets of their own is refused, and those packets are not written. What was queued without
    /// waiting stays, to be tried again.
    /// </summary>
    private Waiter? Refuse(JournalException fault, long first, long position)
    {
        _news = _obstacle is null ? fault : _news;
        _obstacle = fault;
        if (Work is not null)
        {
            _records.PutBack(Work);
            Work = null;
        }

        bool onlyRefused = position > _committed && first > 0 && _records.Refuse(Math.Max(first, _committed + 1), position);
        Waiter? refused = _waiting.TakeUpTo(long.MaxValue);
        for (Waiter? at = refused; at is not null; at = at.Next)
        {
            at.Fault = fault;
            if (at.First > 0)
            {
                onlyRefused = _records.Refuse(at.First, at.Position);
            }
        }

        if (onlyRefused)
        {
            // Nobody was given a position above what is written. Left out, refused ones would rise beyond what the next opening expects.
            _records.Return(_records.TakeAll());
            _highest = Math.Max(_highest, _appended);
            _appended = _writer.Written;
        }

        return refused;
    }

    private Waiter? SetFailure(JournalException failure)
    {
        if (_failure is null)
        {
            Volatile.Write(ref _failure, failure);
            _news = failure;
        }

        return Drop(_failure!);
    }

    /// <summary>Gives up what is queued, and who waits for it.</summary>
    private Waiter? Drop(JournalException fault)
    {
        _records.Return(Work);
        Work = null;
        _records.Return(_records.TakeAll());
        Waiter? all = _waiting.TakeUpTo(long.MaxValue);
        for (Waiter? at = all; at is not null; at = at.Next)
        {
            at.Fault = fault;
        }

        return all;
    }
}
