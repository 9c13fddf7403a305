using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>
/// What a journal's callers reach: takes packets in and waits until they are committed. What stands behind it: <see cref="CommitQueue"/>
/// (who waits), <see cref="CommitLeader"/> (who commits), <see cref="CommitThread"/>, <see cref="SyncTimer"/>, <see cref="IdleMark"/>,
/// <see cref="SegmentRotation"/>; states and lock order: CommitState.cs.
/// </summary>
internal sealed class AppendEngine
{
    private readonly object _gate = new();
    private readonly JournalOptions _options;
    private readonly SegmentDirectory _directory;
    private readonly SegmentWriter _writer;
    private readonly AppendSourcePool _sources = new();
    private readonly CommitTimes _times;
    private readonly CommitReporter _reporter;
    private readonly CommitQueue _queue;
    private readonly CommitLeader _leader;
    private readonly int _mostBody;
    private long _refused;

    public AppendEngine(JournalOptions options, SegmentDirectory directory, SegmentWriter writer, CommitTimes times)
    {
        (_options, _directory, _writer, _times) = (options, directory, writer, times);
        // What a segment of its own would hold, beside the last one, which stays.
        _mostBody = (int)Math.Min(options.MaxPacketBytes, Math.Max(
            options.MaxBytes - options.SegmentBytes, options.SegmentBytes) - SegmentDirectory.LeastOverhead);
        _reporter = new CommitReporter(_sources, directory.Path);
        _queue = new CommitQueue(_gate, options, writer, _reporter);
        _writer.Notes = () => new CommitNotes(Commits, _writer.Packets);
        _leader = new CommitLeader(_gate, options, _queue, writer, times);
    }

    public long Appended => _queue.Appended;

    public long Committed => _queue.Committed;

    public long Synced => _writer.Synced;

    /// <summary>
    /// Gets the position up to which a record, of a packet or a gap, stands in the files.
    /// </summary>
    public long InFiles => _writer.Pending?.Last ?? (_queue.IsSyncedFirst ? _writer.Synced : _writer.Written);

    public SegmentDirectory Directory => _directory;

    public bool MayRepeatPositions => _writer.Pending is { MayRepeatPositions: true };

    public JournalException? Failure => _queue.Failure;

    /// <summary>Gets why there is no capacity. If nothing waits for any, nobody tries: then the disk and the limit are asked.</summary>
    public JournalException? Obstacle
    {
        get
        {
            JournalException? obstacle;
            bool isTried;
            lock (_gate)
            {
                (obstacle, isTried) = (_queue.Obstacle, !_queue.IsEmpty || _queue.IsLed);
            }

            return obstacle is null || isTried || !_directory.MayHaveCapacity(obstacle.Fault) ? obstacle : null;
        }
    }

    /// <summary>Gets a value indicating whether nothing more will come.</summary>
    public bool IsOver
    {
        get
        {
            lock (_gate)
            {
                return _queue.IsOver;
            }
        }
    }

    private JournalCommits Commits => _times.Snapshot(_writer.LongestSync);

    public JournalStatus Status(string backEnd, string reason)
    {
        (int segments, long bytes) = _directory.Size;
        lock (_gate)
        {
            return new JournalStatus
            {
                BackEnd = backEnd,
                BackEndReason = reason,
                Sync = _options.Sync,
                Packets = _writer.Packets,
                BodyBytes = _writer.BodyBytes,
                WrittenBytes = _writer.WrittenBytes,
                QueuedBytes = _queue.QueuedBytes,
                Refused = _refused,
                Commits = Commits,
                Segments = segments,
                Bytes = bytes,
                MadeSegments = _directory.Made,
                RecycledSegments = _directory.Recycled,
                DroppedSegments = _directory.Dropped,
            };
        }
    }

    public long Append(JournalNode node, ushort type, ReadOnlySpan<byte> body, DateTimeOffset time)
    {
        Check(node, body.Length);
        long ticks = Stamp(time);
        long position;
        ThreadWaiter? waiter = null;
        CommitLead lead;
        Exception? trouble;
        bool isWritten;
        TaskCompletionSource<bool>? progress = null;
        lock (_gate)
        {
            _queue.WaitForCapacity();
            bool first = _queue.IsEmpty;
            position = _queue.Put(node, type, body, ticks, AppendNote.Last, out int whole);
            (lead, trouble) = (default, null);
            isWritten = first && _leader.TryWriteAtOnce(whole, out lead, out trouble);
            if (isWritten)
            {
                progress = _queue.TakeProgress();
            }
            else if (trouble is null)
            {
                waiter = _leader.Join(position, position, out lead);
            }
        }

        if (isWritten)
        {
            progress?.TrySetResult(true);
            _times.Report();
        }
        else
        {
            _leader.Finish(position, position, waiter, lead, trouble);
        }

        return position;
    }

    public long Append(ReadOnlySpan<JournalPacket> packets)
    {
        Check(packets);
        if (packets.IsEmpty)
        {
            return Committed;
        }

        long now = RecordTime.Of(_options.TimeProvider.GetUtcNow());
        long first, position;
        ThreadWaiter? waiter;
        CommitLead lead;
        lock (_gate)
        {
            _queue.WaitForCapacity();
            first = _queue.Appended + 1;
            position = PutAll(packets, now);
            waiter = _leader.Join(first, position, out lead);
        }

        _leader.Finish(first, position, waiter, lead);
        return position;
    }

    public ValueTask<long> AppendAsync(JournalNode node, ushort type, ReadOnlySpan<byte> body, DateTimeOffset time)
    {
        Check(node, body.Length);
        long ticks = Stamp(time);
        AppendSource source = _sources.Rent();
        lock (_gate)
        {
            if (_queue.WhyOver() is { } fault)
            {
                return FailedNow(source, fault);
            }

            source.First = source.Position = _queue.Put(node, type, body, ticks, AppendNote.Last, out _);
            _queue.Add(source);
            _leader.Thread.Wake();
        }

        return new ValueTask<long>(source, source.Version);
    }

    public ValueTask<long> AppendAsync(ReadOnlySpan<JournalPacket> packets)
    {
        Check(packets);
        if (packets.IsEmpty)
        {
            return new ValueTask<long>(Committed);
        }

        long now = RecordTime.Of(_options.TimeProvider.GetUtcNow());
        AppendSource source = _sources.Rent();
        lock (_gate)
        {
            if (_queue.WhyOver() is { } fault)
            {
                return FailedNow(source, fault);
            }

            source.First = _queue.Appended + 1;
            source.Position = PutAll(packets, now);
            _queue.Add(source);
            _leader.Thread.Wake();
        }

        return new ValueTask<long>(source, source.Version);
    }

    public SendResult TryAppend(JournalNode node, ushort type, ReadOnlySpan<byte> body, DateTimeOffset time, out long position)
    {
        Check(node, body.Length);
        long ticks = Stamp(time);
        position = 0;
        lock (_gate)
        {
            if (_queue.WhyOver() is not null)
            {
                return SendResult.Closed;
            }

            if (_queue.IsFull || _leader.IsSyncLate)
            {
                _refused++;
                return SendResult.Full;
            }

            position = _queue.Put(node, type, body, ticks, AppendNote.Last, out _);
            _leader.Thread.Gather();
        }

        return SendResult.Queued;
    }

    public ValueTask<long> CommitAsync(long position)
    {
        AppendSource source;
        lock (_gate)
        {
            if (_queue.IsCommitted(ref position))
            {
                return new ValueTask<long>(position);
            }

            source = _sources.Rent();
            if (_queue.WhyOver() is { } fault)
            {
                return FailedNow(source, fault);
            }

            source.Position = position;
            _queue.Add(source);
            _leader.Thread.Wake();
        }

        return new ValueTask<long>(source, source.Version);
    }

    public void Commit(long position)
    {
        ThreadWaiter? waiter;
        CommitLead lead;
        lock (_gate)
        {
            if (_queue.IsCommitted(ref position))
            {
                return;
            }

            _queue.ThrowIfOver();
            waiter = _leader.Join(0, position, out lead);
        }

        _leader.Finish(0, position, waiter, lead);
    }

    public JournalCompaction Compact(JournalRetention retention)
    {
        try
        {
            JournalCompaction done = _directory.Compact(retention, RecordTime.Of(_options.TimeProvider.GetUtcNow()));
            lock (_gate)
            {
                _leader.Thread.RetryNow();   // there may be capacity now for what was refused
            }

            return done;
        }
        catch (StoreException e)
        {
            throw Faults.From(e, JournalFault.WriteFailed);
        }
    }

    /// <summary>Copies packets that wait for capacity (<see cref="CommitQueue.TryCopyWaiting"/>).</summary>
    public bool TryCopyWaiting(long lookedUpTo, long after, int most, List<WaitingPacket> into)
    {
        lock (_gate)
        {
            return _queue.TryCopyWaiting(lookedUpTo, after, most, into);
        }
    }

    /// <summary>Returns a task that completes when something was committed after a position, or the journal is over.</summary>
    public Task ProgressAsync(long after)
    {
        lock (_gate)
        {
            return _queue.ProgressAsync(after);
        }
    }

    /// <summary>Writes and syncs what is queued, writes the close record, ends the threads. Only the first call does anything.</summary>
    /// <returns>Why something queued is not on the disk, or null.</returns>
    /// <exception cref="ThreadInterruptedException">The calling thread was interrupted; the journal is closed all the
    /// same, and another call waits until it is.</exception>
    public JournalException? Close()
    {
        lock (_gate)
        {
            if (!_queue.BeginClose())
            {
                return null;
            }
        }

        // On a thread that nobody can interrupt: closing waits for other threads, and half of it would leave the lock file and who waits.
        var closing = new TaskCompletionSource<JournalException?>();
        void Run() => closing.SetResult(CloseToTheEnd());
        if (!Threads.TryStart(() => new Thread(Run) { IsBackground = true, Name = "journal close" }.Start()))
        {
            Run();
        }

        return closing.Task.GetAwaiter().GetResult();
    }

    /// <summary>Ends what runs, commits the rest and closes the files. Never throws: whatever goes wrong, the last step is
    /// reached.</summary>
    private JournalException? CloseToTheEnd()
    {
        JournalException? fault = null, failure = null;
        Try(() =>
        {
            _leader.EndThreads();
            fault = _leader.CommitRest();
            failure = WriteEnd(hasGap: fault is not null);
        });
        Try(_writer.Dispose);
        Try(_directory.Dispose);
        CommitReport report;
        lock (_gate)
        {
            report = _queue.EndClose(failure);
        }

        Try(() => _queue.Report(report));
        return failure ?? fault;

        void Try(Action step)
        {
            try
            {
                step();
            }
            catch (Exception e)
            {
                failure ??= Faults.Unexpected("Closing", e);
            }
        }
    }

    /// <summary>Syncs, and writes the close record.</summary>
    /// <param name="hasGap">Whether what found no capacity has positions that somebody knows.</param>
    private JournalException? WriteEnd(bool hasGap)
    {
        try
        {
            if (Failure is null)
            {
                _writer.Sync();
                _writer.WriteClose(hasGap ? Appended : 0);
            }
        }
        catch (CommitRefused)
        {
            // All is synced; only the close record found no capacity.
        }
        catch (Exception e)
        {
            return Faults.Unexpected("Closing", e);
        }

        return null;
    }

    private void Check(ReadOnlySpan<JournalPacket> packets)
    {
        foreach (ref readonly JournalPacket packet in packets)
        {
            Check(packet.Node, packet.Body.Length);
        }
    }

    private void Check(JournalNode node, int body)
    {
        if (node is null)
        {
            throw new ArgumentNullException(nameof(node));
        }

        if (body > _mostBody)
        {
            throw new JournalException(
                JournalFault.PacketTooLarge,
                $"A packet of {body} bytes was appended, and {_mostBody} are taken (MaxPacketBytes, and what MaxBytes leaves beside a "
                    + "segment). Split it, or allow more.");
        }
    }

    private long Stamp(DateTimeOffset time) => RecordTime.Of(time == default ? _options.TimeProvider.GetUtcNow() : time);

    private long PutAll(ReadOnlySpan<JournalPacket> packets, long now)
    {
        long first = _queue.Appended + 1;
        long position = 0;
        try
        {
            for (int i = 0; i < packets.Length; i++)
            {
                ref readonly JournalPacket packet = ref packets[i];
                long time = packet.Time == default ? now : RecordTime.Of(packet.Time);
                AppendNote note = i == packets.Length - 1 ? AppendNote.Last : AppendNote.None;
                position = _queue.Put(packet.Node, packet.Type, packet.Body.Span, time, note, out _);
            }
        }
        catch (OutOfMemoryException)
        {
            _queue.GiveUp(first);
            throw;
        }

        return position;
    }

    private ValueTask<long> FailedNow(AppendSource source, JournalException fault)
    {
        source.Fault = fault;
        source.Complete();
        _sources.Run(source, source);
        return new ValueTask<long>(source, source.Version);
    }
}
