using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>
/// Takes packets in, has them written and tells who waits: docs/journal-design.md, "Threads and owners". One lock, the gate, over everything that producers share; one right, to commit, that
/// a single thread has at a time and without the gate.
/// </summary>
internal sealed partial class AppendEngine
{
    private readonly object _gate = new();
    private readonly JournalOptions _options;
    private readonly SegmentDirectory _directory;
    private readonly SegmentWriter _writer;
    private readonly AppendQueue _queue;
    private readonly WaiterLine _waiting = new();
    private readonly SourcePool _sources = new();
    private readonly CommitTimes _times;
    private readonly bool _drives;   // commits overlap, and a thread of the journal's own does them all
    private readonly int _mostBody;
    private readonly bool _isSyncedFirst;
    private ThreadWaiter? _freeWaiters;
    private TaskCompletionSource<bool>? _progress;
    private JournalException? _failure;
    private JournalException? _obstacle;
    private bool _isBusy;
    private bool _isClosing;
    private bool _isClosed;
    private int _waitingForRoom;
    private long _appended;
    private long _committed;
    private long _refused;

    public AppendEngine(JournalOptions options, SegmentDirectory directory, SegmentWriter writer, CommitTimes times)
    {
        (_options, _directory, _writer, _times) = (options, directory, writer, times);
        _queue = new AppendQueue(options.BatchBytes, options.MaxQueuedBytes, writer.Epoch);
        _mostBody = options.MaxPacketBytes;
        _isSyncedFirst = options.Sync is JournalSync.Group or JournalSync.Always;
        _appended = _committed = writer.Written;
        _drives = writer.IsInBlocks;
        _writer.Notes = () => new CommitNotes(Commits, _writer.Packets);
        StartBackground();
    }

    public long Appended => Volatile.Read(ref _appended);

    public long Committed => Volatile.Read(ref _committed);

    public long Synced => _writer.Synced;

    /// <summary>Gets the position up to which a record, of a packet or a gap, stands in the files; what was refused may be committed and have none yet.</summary>
    public long InFiles => _isSyncedFirst ? _writer.Synced : _writer.Written;

    public SegmentDirectory Directory => _directory;

    public JournalException? Failure => Volatile.Read(ref _failure);

    /// <summary>Gets a value indicating whether nothing more will come.</summary>
    public bool IsOver => Volatile.Read(ref _isClosed) || Failure is not null;

    private JournalCommits Commits => _times.Snapshot(_writer.LongestSync);

    public JournalStatistics Statistics(string backEnd, string reason)
    {
        (int segments, long bytes) = _directory.Size;
        lock (_gate)
        {
            return new JournalStatistics
            {
                BackEnd = backEnd,
                BackEndReason = reason,
                Sync = _options.Sync,
                Packets = _writer.Packets,
                BodyBytes = _writer.BodyBytes,
                WrittenBytes = _writer.WrittenBytes,
                QueuedBytes = _queue.Bytes,
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
        Exception? trouble;
        TaskCompletionSource<bool>? progress = null;
        lock (_gate)
        {
            WaitForRoom();
            bool first = _queue.IsEmpty;
            position = ++_appended;
            int whole = _queue.Put(position, node, type, body, ticks, AppendNote.Last);
            trouble = null;
            if (first && WriteAtOnce(whole, out trouble))
            {
                if (_progress is null)
                {
                    return position;
                }

                (progress, _progress) = (_progress, null);
            }
            else if (trouble is null)
            {
                waiter = Join(position, position);
            }
        }

        if (progress is not null)
        {
            progress.TrySetResult(true);
            return position;
        }

        Finish(position, position, waiter, trouble);
        return position;
    }

    public long Append(ReadOnlySpan<JournalPacket> packets)
    {
        foreach (ref readonly JournalPacket packet in packets)
        {
            Check(packet.Node, packet.Body.Length);
        }

        if (packets.IsEmpty)
        {
            return Committed;
        }

        long now = RecordTime.Of(_options.Clock.GetUtcNow());
        long first, position;
        ThreadWaiter? waiter;
        lock (_gate)
        {
            WaitForRoom();
            first = _appended + 1;
            position = PutAll(packets, now);
            waiter = Join(first, position);
        }

        Finish(first, position, waiter);
        return position;
    }

    public ValueTask<long> AppendAsync(JournalNode node, ushort type, ReadOnlySpan<byte> body, DateTimeOffset time)
    {
        Check(node, body.Length);
        long ticks = Stamp(time);
        AppendSource source = _sources.Rent();
        lock (_gate)
        {
            if (OverLocked() is { } fault)
            {
                return FailedNow(source, fault);
            }

            source.First = source.Position = ++_appended;
            _queue.Put(source.Position, node, type, body, ticks, AppendNote.Last);
            _waiting.Add(source);
            WakePump();
        }

        return new ValueTask<long>(source, source.Version);
    }

    public ValueTask<long> AppendAsync(ReadOnlySpan<JournalPacket> packets)
    {
        foreach (ref readonly JournalPacket packet in packets)
        {
            Check(packet.Node, packet.Body.Length);
        }

        if (packets.IsEmpty)
        {
            return new ValueTask<long>(Committed);
        }

        long now = RecordTime.Of(_options.Clock.GetUtcNow());
        AppendSource source = _sources.Rent();
        lock (_gate)
        {
            if (OverLocked() is { } fault)
            {
                return FailedNow(source, fault);
            }

            source.First = _appended + 1;
            source.Position = PutAll(packets, now);
            _waiting.Add(source);
            WakePump();
        }

        return new ValueTask<long>(source, source.Version);
    }

    public JournalAppendResult TryAppend(JournalNode node, ushort type, ReadOnlySpan<byte> body, DateTimeOffset time, out long position)
    {
        Check(node, body.Length);
        long ticks = Stamp(time);
        position = 0;
        lock (_gate)
        {
            if (OverLocked() is not null)
            {
                return JournalAppendResult.Closed;
            }

            if (_queue.Bytes >= _options.MaxQueuedBytes || (_obstacle is not null && !_queue.IsEmpty) || IsSyncLate)
            {
                _refused++;
                return JournalAppendResult.Full;
            }

            position = ++_appended;
            _queue.Put(position, node, type, body, ticks, AppendNote.Last);
            Gather();
        }

        return JournalAppendResult.Queued;
    }

    public ValueTask<long> CommitAsync(long position)
    {
        AppendSource source;
        lock (_gate)
        {
            if (IsThere(position))
            {
                return new ValueTask<long>(position);
            }

            source = _sources.Rent();
            if (OverLocked() is { } fault)
            {
                return FailedNow(source, fault);
            }

            source.Position = position;
            _waiting.Add(source);
            WakePump();
        }

        return new ValueTask<long>(source, source.Version);
    }

    public void Commit(long position)
    {
        ThreadWaiter? waiter;
        lock (_gate)
        {
            if (IsThere(position))
            {
                return;
            }

            ThrowIfOver();
            waiter = Join(0, position);
        }

        Finish(0, position, waiter);
    }

    public JournalCompaction Compact(JournalRetention retention)
    {
        try
        {
            JournalCompaction done = _directory.Compact(retention, RecordTime.Of(_options.Clock.GetUtcNow()));
            lock (_gate)
            {
                RetryNow();   // there may be room now for what was refused
            }

            return done;
        }
        catch (StoreException e)
        {
            throw Faults.From(e, JournalFault.WriteFailed);
        }
    }

    /// <summary>A task that completes when something was committed after this call, or the journal is over.</summary>
    public Task ProgressAsync(long after)
    {
        lock (_gate)
        {
            if (_committed > after || IsOver)
            {
                return Task.CompletedTask;
            }

            _progress ??= new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            return _progress.Task;
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
            throw new JournalException(JournalFault.PacketTooLarge, $"A packet of {body} bytes was appended, and MaxPacketBytes is {_mostBody}. Split it, or allow more.");
        }
    }

    private long Stamp(DateTimeOffset time) => RecordTime.Of(time == default ? _options.Clock.GetUtcNow() : time);

    private long PutAll(ReadOnlySpan<JournalPacket> packets, long now)
    {
        for (int i = 0; i < packets.Length; i++)
        {
            ref readonly JournalPacket packet = ref packets[i];
            long time = packet.Time == default ? now : RecordTime.Of(packet.Time);
            _queue.Put(++_appended, packet.Node, packet.Type, packet.Body.Span, time, i == packets.Length - 1 ? AppendNote.Last : AppendNote.None);
        }

        return _appended;
    }

    private bool IsThere(long position)
    {
        if (position > _appended)
        {
            throw new ArgumentOutOfRangeException(nameof(position), position, $"The last position given out is {_appended}.");
        }

        return position <= _committed;
    }

    private void WaitForRoom()
    {
        ThrowIfOver();
        while (_queue.Bytes >= _options.MaxQueuedBytes)
        {
            if (_obstacle is { } obstacle && !_isBusy)
            {
                throw obstacle.Again();
            }

            _waitingForRoom++;
            Monitor.Wait(_gate);
            _waitingForRoom--;
            ThrowIfOver();
        }
    }

    private JournalException? OverLocked() => _failure ?? (_isClosing ? new JournalException(JournalFault.Closed, "The journal is closed. Open it again.") : null);

    private void ThrowIfOver()
    {
        if (OverLocked() is { } fault)
        {
            throw fault.Again();
        }
    }

    private ValueTask<long> FailedNow(AppendSource source, JournalException fault)
    {
        source.Fault = fault.Again();
        source.Complete();
        _sources.Run(source, source);
        return new ValueTask<long>(source, source.Version);
    }
}
