using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>The journal's files: which there are, making the next one, dropping the oldest. Safe for concurrent use.</summary>
/// <remarks>
/// Two locks. A thread that changes files holds <see cref="_changing"/> all the while, as long as the disk takes. The lists change under
/// <see cref="_lock"/> besides, which is held for an instant: readers take that one alone, and never wait for the disk. Always in this
/// order.
/// </remarks>
internal sealed class SegmentDirectory : IDisposable
{
    /// <summary>The bytes that a packet's segment has besides its body, at most: header, name, marks and blocks.</summary>
    public const int LeastOverhead = 32 << 10;

    private readonly object _changing = new();
    private readonly object _lock = new();
    private readonly IJournalStore _store;
    private readonly IDisposable _lockFile;
    private readonly JournalOptions _options;
    private readonly List<SegmentEntry> _segments = [];
    private readonly SpareFiles _spares;
    private readonly DroppedNote _dropped;
    private long _bytes;
    private long _watermark;           // positions below it need not be kept; under _changing
    private StoreException? _unsure;   // why it is not known whether dropped names are gone; under _changing
    private bool _isDisposed;

    /// <summary>Initializes a new instance of the <see cref="SegmentDirectory"/> class, which owns store and lock.</summary>
    public SegmentDirectory(IJournalStore store, IDisposable lockFile, JournalOptions options)
    {
        (_store, _lockFile, _options) = (store, lockFile, options);
        _dropped = new DroppedNote(store);
        _spares = new SpareFiles(store, fillsWithZeros: options.Blocks is not null);
    }

    public string Path => _store.Path;

    public long Made => _spares.Made;

    public long Recycled => _spares.Recycled;

    public long Dropped { get; private set; }

    /// <summary>Gets how many segments there are, and the bytes of all files.</summary>
    public (int Segments, long Bytes) Size
    {
        get
        {
            lock (_lock)
            {
                return (_segments.Count, _bytes + _spares.Bytes);
            }
        }
    }

    /// <summary>Gets the oldest segment; null without any.</summary>
    public SegmentEntry? Oldest
    {
        get
        {
            lock (_lock)
            {
                return _segments.Count > 0 ? _segments[0] : null;
            }
        }
    }

    /// <summary>Gets a value indicating whether it is known that no segment was taken away from the beginning of those there are.</summary>
    public bool IsWholeInFront
    {
        get
        {
            lock (_lock)
            {
                return _segments.Count == 0 || _segments[0].Sequence <= _dropped.Number + 1;
            }
        }
    }

    /// <summary>Takes over what a scan found; spare files that do not fit are removed.</summary>
    public void TakeOver(JournalState state)
    {
        lock (_changing)
        {
            foreach (SegmentState segment in state.Segments)
            {
                Add(new SegmentEntry(segment.Name, segment.Header) { LastPosition = segment.LastPosition, LastTime = segment.LastTime });
            }

            _dropped.TakeOver(state.Dropped);
            foreach (string name in state.Spares)
            {
                _store.Delete(name);
            }
        }
    }

    /// <summary>Makes the next segment: its header is synced before it has its name, and its name before this returns.</summary>
    /// <param name="header">The header but for length and flags.</param>
    /// <param name="least">The bytes of records it must hold.</param>
    /// <param name="filled">
    /// Called with the file before it gets its name, to write records that are to come with it; or null. They are synced with the header.
    /// </param>
    /// <param name="used">Called with the name once it is durable; or null. If it throws, the segment is taken back.</param>
    /// <returns>The file and its header as written.</returns>
    /// <exception cref="StoreException">The system; the segment is not there. Full may be tried again.</exception>
    /// <exception cref="JournalException"><see cref="JournalFault.JournalFull"/>.</exception>
    public (IJournalFile File, SegmentHeader Header) Begin(
        SegmentHeader header, long least, Action<IJournalFile, SegmentHeader>? filled = null, Action<string>? used = null)
    {
        lock (_changing)
        {
            if (_unsure is not null)
            {
                throw _unsure;
            }

            _dropped.Begin(header.Sequence);
            long length = LengthFor(least);
            SpareFile spare = _spares.Take(length) ?? _spares.MakeFitting(length, NeededFor(least));
            length = spare.Length;
            while (_spares.Count > 0 && _bytes + length + _spares.Bytes > _options.MaxBytes)
            {
                _spares.ForgetOldest();
            }

            IJournalFile file = _store.Open(spare.Name, writable: true);
            SegmentEntry? added = null;
            try
            {
                byte[] block = new byte[SegmentHeader.Size];
                SegmentFlags flags = (header.Flags & SegmentFlags.Blocks) | (spare.IsUsed ? SegmentFlags.Recycled : SegmentFlags.None);
                header = (header with { Length = length, Flags = flags }).Write(block);
                Check(file.WriteAll(0, block), spare.Name, "written");
                filled?.Invoke(file, header);
                Check(file.SyncAll(), spare.Name, "synced");
                string name = FileNames.Segment(header.Sequence);
                added = new SegmentEntry(name, header) { LastPosition = header.FirstPosition - 1, LastTime = header.Time };
                Add(added);   // before a reader can find the name: it holds this entry then
                GiveName(spare.Name, name, used);
                return (file, header);
            }
            catch
            {
                file.Dispose();
                _spares.Forget(spare);
                Remove(added);
                throw;
            }
        }
    }

    /// <summary>
    /// Makes a file for the segment after the next, so that nobody has to wait for it. Does nothing if there is one, or no capacity for
    /// it.
    /// </summary>
    public void Prepare()
    {
        lock (_changing)
        {
            long length = _options.SegmentBytes;
            if (_isDisposed || _spares.Count > 0 || _bytes + length > _options.MaxBytes)
            {
                return;
            }

            try
            {
                _spares.Keep(_spares.Make(length));
            }
            catch (Exception)
            {
                // Whatever it is, it must not end the process: this runs on the pool. It is tried again when the segment is needed, and
                // reported then.
            }
        }
    }

    /// <summary>Reports what is known of a segment once another one follows it.</summary>
    public void Close(long sequence, long lastPosition, long lastTime)
    {
        lock (_lock)
        {
            if (_segments.Find(s => s.Sequence == sequence) is { } segment)
            {
                (segment.LastPosition, segment.LastTime) = (lastPosition, lastTime);
            }
        }
    }

    /// <summary>Drops what need not be kept; names first and synced, so that nothing is used again that might come back.</summary>
    public JournalCompaction Compact(JournalRetention retention, long now)
    {
        lock (_changing)
        {
            if (_isDisposed)
            {
                throw new JournalException(
                    JournalFault.Closed, "The journal is closed: compact its directory with PacketJournal.Compact(directory, …).");
            }

            _watermark = Math.Max(_watermark, retention is { MaxBytes: null, MaxAge: null } ? retention.Watermark ?? 0 : 0);
            (int count, long bytes) = Drop(1, (segment, total) => segment.MayGo(retention, now, total));
            return new JournalCompaction { DroppedSegments = count, DroppedBytes = bytes, OldestPosition = Oldest?.FirstPosition ?? 1 };
        }
    }

    /// <summary>Drops all segments, the last one too, to which nothing may be written any more, if nothing in them need be kept: a crash before
    /// the next one leaves no journal, and loses nothing.</summary>
    /// <param name="last">The last position in them.</param>
    /// <returns>Whether they are gone.</returns>
    public bool TryDropAll(long last)
    {
        lock (_changing)
        {
            return _options.OpensOnFullDisk && last < _watermark && Drop(0, (_, _) => true).Count > 0;
        }
    }

    /// <summary>Whether there may be capacity by now for what there was none, though nobody has tried.</summary>
    public bool MayHaveCapacity(JournalFault obstacle)
    {
        if (obstacle == JournalFault.DiskFull)
        {
            return FreeSpace.Of(_store.Path) >= SpareFiles.LeastLength;
        }

        lock (_lock)
        {
            return obstacle != JournalFault.JournalFull || _bytes + _options.SegmentBytes <= _options.MaxBytes;
        }
    }

    /// <summary>Whether somebody else deleted a segment's file: it has no name, and a drop, which leaves the list first, did not take it.</summary>
    public bool WasDeleted(IJournalFile file, long sequence) => file.IsDeleted && Has(sequence);

    /// <summary>Holds the segment of a position for a reader, or the first one after it.</summary>
    public SegmentEntry? Hold(long position)
    {
        lock (_lock)
        {
            SegmentEntry? found = null;
            foreach (SegmentEntry segment in _segments)
            {
                if (found is not null && segment.FirstPosition > position)
                {
                    break;
                }

                found = segment;
            }

            if (found is not null)
            {
                found.Readers++;
            }

            return found;
        }
    }

    public void Release(SegmentEntry segment)
    {
        lock (_lock)
        {
            segment.Readers--;
        }
    }

    /// <summary>Leaves word that a sync failed, as far as the disk still lets it be written.</summary>
    public void NoteFailedSync(long sequence)
    {
        lock (_changing)
        {
            try
            {
                using IJournalFile note = _store.Create(FileNames.Failed(sequence));
                _ = note.SyncAll();
                _store.SyncDirectory();
            }
            catch (StoreException)
            {
                // Without it the next open writes again what is above the last proved sync, in place.
            }
        }
    }

    public void Dispose()
    {
        lock (_changing)
        {
            if (!_isDisposed)
            {
                _isDisposed = true;
                _spares.ForgetAll();
                _lockFile.Dispose();
                _store.Dispose();
            }
        }
    }

    /// <exception cref="StoreException">There is an error.</exception>
    internal static void Check(StoreError error, string name, string done)
    {
        if (error != StoreError.None)
        {
            throw new StoreException(error, $"\"{name}\" cannot be {done} ({error})");
        }
    }

    private static long NeededFor(long least)
    {
        const long Block = SegmentHeader.Size;
        return (SegmentHeader.Size + least + SegmentWriter.Reserve + Block - 1) & ~(Block - 1);
    }

    private long LengthFor(long least)
    {
        long length = Math.Max(_options.SegmentBytes, NeededFor(least));

        // The last segment stays, whatever else is dropped.
        bool canFit = (_segments.Count > 0 ? _segments[_segments.Count - 1].Length : 0) + length <= _options.MaxBytes;
        if (canFit && _options.DropOldestWhenFull)
        {
            _ = Drop(1, (_, total) => total + length > _options.MaxBytes);
        }

        if (_bytes + length > _options.MaxBytes)
        {
            throw new JournalException(
                JournalFault.JournalFull,
                $"The journal in \"{_store.Path}\" has {_bytes} bytes, and with another segment of {length} it would pass its MaxBytes of "
                    + $"{_options.MaxBytes}. Compact it, allow more, or let it drop the oldest.");
        }

        return length;
    }

    /// <summary>Drops the oldest segments as long as a condition holds. Where somebody looks for it, that is noted first. Whatever ends it, a failed delete too, the directory is synced behind what was dropped: its files are spares now, and one
    /// that gets another segment's header must not come back under its old name.</summary>
    /// <param name="keep">How many stay in any case.</param>
    /// <param name="mayDrop">Whether a segment may go, with the bytes of those there are then.</param>
    private (int Count, long Bytes) Drop(int keep, Func<SegmentEntry, long, bool> mayDrop)
    {
        (int count, long bytes) = (0, 0);
        while (count < _segments.Count - keep && mayDrop(_segments[count], _bytes - bytes))
        {
            bytes += _segments[count].Length;
            count++;
        }

        if (count == 0)
        {
            return default;
        }

        // What somebody else took away before stays known: it is not noted as dropped.
        if ((_options.OpensOnFullDisk || _dropped.Exists) && IsWholeInFront)
        {
            _dropped.Raise(_segments[count - 1].Sequence);
        }

        try
        {
            for (int i = 0; i < count; i++)
            {
                DropFirst();
            }
        }
        finally
        {
            SyncDropped();
        }

        return (count, bytes);
    }

    /// <summary>
    /// Makes it durable that dropped segments have lost their names. After a failure no segment is begun any more: a file that is used
    /// again, and comes back under its old name after a power cut, would be damage; and the next sync would prove nothing.
    /// </summary>
    private void SyncDropped()
    {
        try
        {
            _store.SyncDirectory();
        }
        catch (StoreException e)
        {
            _unsure = new StoreException(StoreError.Broken, $"Whether the dropped segments are gone is not known: {e.Message}", e);
            throw _unsure;
        }
    }

    private void DropFirst()
    {
        SegmentEntry first;
        bool isHeld;
        lock (_lock)
        {
            // Out of the list before anything happens to its file: nobody begins to hold it any more.
            first = _segments[0];
            isHeld = first.Readers > 0;
            _segments.RemoveAt(0);
            _bytes -= first.Length;
        }

        try
        {
            if (!isHeld && _spares.HasPlace && first.Length == _options.SegmentBytes)
            {
                _spares.KeepUsed(first.Name, first.Length);
            }
            else
            {
                _store.Delete(first.Name);
            }
        }
        catch
        {
            lock (_lock)
            {
                _segments.Insert(0, first);
                _bytes += first.Length;
            }

            throw;
        }

        Dropped++;
    }

    /// <summary>
    /// Gives a segment its name. After a failure the name is gone again, or the failure is none that may be tried again: what is appended
    /// to the segment before would not count beside it.
    /// </summary>
    private void GiveName(string spare, string name, Action<string>? used)
    {
        _store.Rename(spare, name);
        MakeFinal(name, _store.SyncDirectory);
        try
        {
            used?.Invoke(name);
        }
        catch
        {
            MakeFinal(name, () =>
            {
                _store.Delete(name);
                _store.SyncDirectory();
            });
            throw;
        }
    }

    /// <summary>
    /// Makes a name durable, or its absence. What may pass is no reason to try again here: after a failed sync the next one proves nothing.
    /// </summary>
    private static void MakeFinal(string name, Action change)
    {
        try
        {
            change();
        }
        catch (StoreException e) when (e.MayPass)
        {
            throw new StoreException(StoreError.Broken, $"Whether \"{name}\" is in the directory is not known: {e.Message}", e);
        }
    }

    private bool Has(long sequence)
    {
        lock (_lock)
        {
            return _segments.Exists(segment => segment.Sequence == sequence);
        }
    }

    private void Add(SegmentEntry segment)
    {
        lock (_lock)
        {
            _segments.Add(segment);
            _bytes += segment.Length;
        }
    }

    private void Remove(SegmentEntry? segment)
    {
        lock (_lock)
        {
            if (segment is not null && _segments.Remove(segment))
            {
                _bytes -= segment.Length;
            }
        }
    }
}
