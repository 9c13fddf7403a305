using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Journal;

/// <summary>Writes records to the segment at the end: finishes them, keeps the chain, goes on to the next segment. For who has the right to
/// commit; syncing alone may happen beside it.</summary>
internal sealed partial class SegmentWriter : IDisposable
{
    /// <summary>The bytes kept free in each segment for the close record.</summary>
    public const int Reserve = 128;

    private readonly SegmentDirectory _directory;
    private readonly JournalOptions _options;
    private readonly object _syncing = new();
    private readonly byte[] _scratch = new byte[Reserve];
    private IJournalFile _file;
    private SegmentHeader _segment;
    private long _end, _position;
    private uint _chain;
    private long _written;      // written by who commits, behind the bytes in the file; read by all
    private long _synced;       // written under _syncing, behind the sync; read by all
    private long _lastTime;
    private bool _isInAppend;   // the record written last is followed by others of the same append
    private readonly FinalFailure _failure = new();   // of a sync it is set under _syncing
    private PendingOpen? _pending;   // cleared by who commits, read by all

    /// <summary>Initializes a new instance of the <see cref="SegmentWriter"/> class, behind the last record of a segment, which is synced. If
    /// this opening's record is still to be written, the next record begins a segment.</summary>
    public SegmentWriter(
        SegmentDirectory directory, JournalOptions options, IJournalFile file, in SegmentHeader segment, long end, uint chain,
        long position, uint epoch, PendingOpen? pending = null)
    {
        (_directory, _options, _file, _segment) = (directory, options, file, segment);
        Rotation = new SegmentRotation(directory, options);
        (_end, _chain, _position, Epoch) = (pending is null ? end : segment.Length, chain, position, epoch);
        _pending = pending;
        _written = _synced = pending?.Base ?? position;
        _lastTime = segment.Time;
    }

    /// <summary>Gets this opening's epoch; no record of an older one is written.</summary>
    public uint Epoch { get; }

    /// <summary>Gets the position up to which all was handed to the system.</summary>
    public long Written => Volatile.Read(ref _written);

    /// <summary>Gets the position up to which all is synced.</summary>
    public long Synced => Volatile.Read(ref _synced);

    /// <summary>Gets what the next segment begins with; null once it does, or if this opening's record is written. Any thread.</summary>
    public PendingOpen? Pending => Volatile.Read(ref _pending);

    /// <summary>Gets a value indicating whether the next segment will be needed soon.</summary>
    public bool IsHalfFull => _end > _segment.Length / 2;

    public long Sequence => _segment.Sequence;

    /// <summary>Gets what begins the next segment.</summary>
    public SegmentRotation Rotation { get; }

    public long WrittenBytes { get; private set; }

    public long Packets { get; private set; }

    public long BodyBytes { get; private set; }

    /// <summary>Gets the longest sync; in ticks of the stopwatch.</summary>
    public long LongestSync { get; private set; }

    /// <summary>Gets or sets what a Mark is to say.</summary>
    public Func<CommitNotes>? Notes { get; set; }

    /// <summary>Gets the bytes of records that fit in this segment as it is; negative if it is full.</summary>
    public long Capacity => _segment.Length - (_flight is null ? Reserve : BlockReserve) - _end;

    /// <summary>Gets the bytes that a segment needs besides its records: for its Mark and its end.</summary>
    private long Overhead => RecordHeader.WholeSize(0, CommitNotes.Size) + (_flight is null ? 0 : BlockReserve + Block.Bytes);

    /// <summary>Gets what each batch of an append takes besides: it is filled up to a whole block.</summary>
    private int PerBatch => _flight is null ? 0 : 2 * Block.Bytes;

    /// <summary>Gets the longest append of several packets of which all is refused or none.</summary>
    private long LongestAppend => _options.SegmentBytes - SegmentHeader.Size - Overhead - (_flight is null ? Reserve : 0);

    /// <summary>Writes a batch from where it was left.</summary>
    /// <param name="batch">The batch; how much of it is written stands in it afterwards, also after an exception.</param>
    /// <param name="oneAppend">Whether to end behind the first append in it.</param>
    /// <exception cref="CommitRefused">There is no next segment for the rest; what was written is synced. May be tried again.</exception>
    /// <exception cref="JournalException">The journal has failed.</exception>
    public void Write(AppendBatch batch, bool oneAppend)
    {
        _failure.ThrowIfAny();
        (byte[] bytes, int at) = (batch.Bytes, batch.Done);
        bool more = at < batch.Used;
        while (more)
        {
            Span<byte> record = bytes.AsSpan(at);
            int whole = AppendBatch.WholeOf(record, out int body, out AppendNote note);
            bool refused = (note & AppendNote.Refused) != 0;
            int size = refused ? RecordHeader.Size : whole;
            long needed = _isInAppend || (note & AppendNote.Last) != 0 ? size : Math.Max(size, batch.SizeOfAppend(at, PerBatch, LongestAppend));
            if (at - batch.Done + needed > Capacity)
            {
                _isInAppend = false;
                Flush(batch, at);
                Roll(needed);
            }

            _isInAppend = (note & AppendNote.Last) == 0;
            long position = RecordHeader.PositionOf(record);
            if (position != _position + 1)
            {
                throw _failure.Set(new JournalException(JournalFault.WriteFailed, $"A defect: position {position} does not follow {_position}."));
            }
            else if (refused)
            {
                RecordHeader.Begin(record, RecordKind.Gap, position, Epoch, 0, 0, 0, _lastTime);
            }
            else
            {
                Packets++;
                BodyBytes += body;
                _lastTime = RecordHeader.TimeOf(record);
            }

            _chain = RecordHeader.Finish(record.Slice(0, size), _chain, Synced);
            _position = position;
            more = at + whole < batch.Used && !(oneAppend && (note & AppendNote.Last) != 0);
            if (refused)
            {
                Flush(batch, at + size);
                batch.Done = at + whole;
            }

            at += whole;
        }

        Flush(batch, at);
    }

    /// <summary>Writes a record that is no packet, in a segment with capacity for it.</summary>
    /// <exception cref="CommitRefused">There is no next segment. May be tried again.</exception>
    /// <exception cref="JournalException">The journal has failed.</exception>
    public void WriteControl(RecordKind kind, long position, ReadOnlySpan<byte> body)
    {
        _failure.ThrowIfAny();
        int whole = (int)RecordHeader.WholeSize(0, body.Length);
        if (kind == RecordKind.Close ? Taken(whole) > _segment.Length - _end : whole > Capacity)
        {
            Roll(whole);
            position = Math.Max(position, _position);   // behind an Open record that comes with the segment
        }

        if (kind == RecordKind.Close && _flight is not null)
        {
            _ = Pad(Block.Bytes - whole);   // before it: an opening that was closed ends with its close record
            PutControl(_fill.AsSpan(Block.Bytes - whole, whole), kind, position, body);
            WriteAll(_fill.AsSpan(0, Block.Bytes));
        }
        else
        {
            Span<byte> record = whole <= _scratch.Length ? _scratch.AsSpan(0, whole) : new byte[whole];
            PutControl(record, kind, position, body);
            WriteAll(record);
        }

        Volatile.Write(ref _written, _position);
    }

    /// <summary>Writes what is synced by now, without a sync, if it fits in the segment.</summary>
    public void WriteMark()
    {
        _failure.ThrowIfAny();
        if (RecordHeader.WholeSize(0, CommitNotes.Size) <= Capacity)
        {
            Span<byte> notes = stackalloc byte[CommitNotes.Size];
            (Notes?.Invoke() ?? default).Write(notes);
            WriteControl(RecordKind.Mark, _position, notes);
        }
    }

    /// <summary>
    /// Writes what is synced in a pause; if it does not fit, the next segment is begun, whose header says it. Or nothing is reported,
    /// if there is no next segment.
    /// </summary>
    /// <exception cref="JournalException">The journal has failed.</exception>
    public void WriteIdleMark()
    {
        _failure.ThrowIfAny();
        int whole = (int)RecordHeader.WholeSize(0, CommitNotes.Size);
        bool isAwaited = _options.Sync is JournalSync.GroupCommit or JournalSync.Always;   // under the others readers show what is written
        if (whole <= Capacity || !isAwaited)
        {
            WriteMark();
            return;
        }

        try
        {
            Roll(whole);
        }
        catch (CommitRefused)
        {
            // No capacity: the next append reports it.
        }
    }

    /// <summary>Writes the close record and syncs it; leaves it out if the segment has no capacity and no other can be made.</summary>
    /// <param name="leftOut">The last position that was given out and could not be written; 0 without one.</param>
    public void WriteClose(long leftOut)
    {
        _failure.ThrowIfAny();
        Span<byte> notes = stackalloc byte[CommitNotes.Size];
        (Notes?.Invoke() ?? default).Write(notes);
        if (leftOut > _position)
        {
            if (Taken(RecordHeader.Size) + Taken(RecordHeader.WholeSize(0, CommitNotes.Size)) > _segment.Length - _end)
            {
                Roll(RecordHeader.Size);   // if there is none, no close record either: the next opening then skips what may have been given out
            }

            PutControl(_scratch.AsSpan(0, RecordHeader.Size), RecordKind.Gap, leftOut, default);
            WriteAll(_scratch.AsSpan(0, RecordHeader.Size));
            Volatile.Write(ref _written, _position);
            Sync();
        }

        WriteControl(RecordKind.Close, _position, notes);
        Sync();
    }

    /// <summary>Syncs what is written.</summary>
    /// <remarks>
    /// A failed sync is final, and it is known to every other thread before the lock is free: Linux calls the pages clean afterwards, so
    /// the next sync of the same file would succeed although the data are lost, and the next header would state that everything below it is
    /// synced.
    /// </remarks>
    /// <exception cref="JournalException"><see cref="JournalFault.SyncFailed"/>: the journal has failed.</exception>
    public void Sync()
    {
        lock (_syncing)
        {
            _failure.ThrowIfAny();
            (long written, long began) = (Written, Stopwatch.GetTimestamp());
            StoreError error = _flight is null ? _file.SyncAll() : Land(_flight);
            LongestSync = Math.Max(LongestSync, Stopwatch.GetTimestamp() - began);
            ThrowIfFailed(error);
            Volatile.Write(ref _synced, written);
        }
    }

    public void Dispose()
    {
        lock (_syncing)
        {
            _flight?.Dispose();
            _file.Dispose();
        }
    }

    private void PutControl(Span<byte> record, RecordKind kind, long position, ReadOnlySpan<byte> body)
    {
        record.Clear();
        RecordHeader.Begin(record, kind, position, Epoch, 0, 0, body.Length, RecordTime.Of(_options.TimeProvider.GetUtcNow()));
        body.CopyTo(record.Slice(RecordHeader.Size));
        _chain = RecordHeader.Finish(record, _chain, Synced);
        _position = position;
    }

    private void Flush(AppendBatch batch, int to)
    {
        WriteAll(batch.Bytes.AsSpan(batch.Done, to - batch.Done));
        batch.Done = to;
        Volatile.Write(ref _written, _position);
    }

    private void WriteAll(ReadOnlySpan<byte> bytes)
    {
        if (_flight is not null)
        {
            Send(_flight, bytes);
            return;
        }

        _failure.ThrowIfAny();
        StoreError error = _file.WriteAll(_end, bytes);
        if (error != StoreError.None)
        {
            throw _failure.Set(Faults.Writing(error, FileNames.Segment(_segment.Sequence), _end));
        }

        _end += bytes.Length;
        WrittenBytes += bytes.Length;
    }

    /// <summary>Syncs this segment and goes on to the next.</summary>
    private void Roll(long least)
    {
        Sync();
        _directory.Close(_segment.Sequence, _position, _lastTime);
        SegmentHeader next = _segment.Following(
            _position, Epoch, _chain, _options.TimeProvider.GetUtcNow(), _options.Sync,
            _flight is null ? SegmentFlags.None : SegmentFlags.Blocks);
        PendingOpen? pending = _pending;
        IJournalFile file;
        try
        {
            (file, next) = Begin(next, least, pending);
        }
        catch (StoreException e)
        {
            throw _failure.Set(Faults.From(e, JournalFault.WriteFailed));
        }

        lock (_syncing)
        {
            _file.Dispose();
            (_file, _segment, _end, _chain) = (file, next, SegmentHeader.Size, next.Sum);
            if (pending is not null)
            {
                (_end, _chain, _position) = (_end + pending.Bytes, pending.Sum, pending.Base);
                Volatile.Write(ref _pending, null);
            }
        }

        WriteMark();
        Rotation.DropOld(next.Time);
    }

    private (IJournalFile File, SegmentHeader Header) Begin(in SegmentHeader next, long least, PendingOpen? pending)
    {
        long capacity = least + Overhead + (pending?.Bytes ?? 0);
        Action<string>? used = _flight is { } flight ? name => flight.Use(name, _position) : null;
        try
        {
            return Rotation.Begin(next, capacity, pending is null ? null : pending.Write, used);
        }
        catch (CommitRefused) when (_flight is null)
        {
            if (!_directory.TryDropAll(_position))
            {
                throw;
            }

            lock (_syncing)
            {
                _file.Dispose();   // an open file keeps its space, though it has no name any more
                (_file, _end) = (NoFile.Instance, _segment.Length);
            }

            return Rotation.Begin(next, capacity, pending is null ? null : pending.Write, used);
        }
    }
}
