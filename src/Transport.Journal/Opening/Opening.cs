using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;

namespace Transport.Journal;

/// <summary>
/// Opens a directory for writing: looks what is there, repairs it, and writes the Open record, which is synced before anything is
/// appended (docs/design/journal.md).
/// </summary>
internal sealed class Opening
{
    private const int CopyBytes = 1 << 20;

    private readonly IJournalStore _store;
    private readonly JournalOptions _options;
    private readonly string _backEnd;
    private JournalState _state = new();
    private IDisposable? _lock;
    private string? _setAside;
    private string? _tornFile;
    private long _cutBytes;
    private bool _created;

    private Opening(IJournalStore store, JournalOptions options, string backEnd) =>
        (_store, _options, _backEnd) = (store, options, backEnd);

    /// <summary>Opens the journal; releases everything on failure.</summary>
    /// <exception cref="JournalException">See <see cref="PacketJournal.Open"/>.</exception>
    public static OpenedJournal Run(IJournalStore store, JournalOptions options, string backEnd)
    {
        var opening = new Opening(store, options, backEnd);
        try
        {
            return opening.Open();
        }
        catch (StoreException e)
        {
            opening.GiveUp();
            throw Faults.From(e, JournalFault.WriteFailed);
        }
        catch (CommitRefused e)
        {
            opening.GiveUp();
            throw e.Fault.Again();
        }
        catch
        {
            opening.GiveUp();
            throw;
        }
    }

    /// <summary>
    /// Gets a value indicating whether the last file was cut, and not by a power cut: its length was synced before its first record.
    /// </summary>
    private bool IsShortened => _state.Condition != JournalCondition.Closed && _state.Last is { } last
        && last.FileLength < last.Header.Length;

    private OpenedJournal Open()
    {
        EnsureDirectory();
        RefuseShared();
        _lock = TakeLock();
        _state = JournalScan.Run(_store, mayBeEmpty: true);
        RefuseBeyondAllReach();
        long oldLast = _state.LastPosition;
        if (_state.Condition == JournalCondition.Damaged)
        {
            SetAsideOrRefuse();
        }

        var directory = new SegmentDirectory(_store, _lock, _options);
        long found = _state.LastPosition;
        SegmentWriter writer = _state.Segments.Count == 0 ? BeginFirst(directory) : Continue(directory);
        var recovery = new JournalRecovery
        {
            Found = _setAside is null ? _state.Condition : JournalCondition.Damaged,
            Created = _created,
            LastPosition = _setAside is null ? found : oldLast,
            SyncedPosition = _state.Synced,
            CutBytes = _cutBytes,
            TornFile = _tornFile is null ? null : System.IO.Path.Combine(_store.Path, _tornFile),
            SetAside = _setAside is null ? null : System.IO.Path.Combine(_store.Path, _setAside),
            Line = Line(),
            IsShortened = IsShortened,
        };
        return new OpenedJournal(directory, writer, _state.Id, recovery);
    }

    private void EnsureDirectory()
    {
        if (!_options.Create)
        {
            _ = _store.List();   // Missing becomes NotAJournal
            return;
        }

        _created = _store.CreateDirectory();
    }

    /// <summary>What another user owns, or may write to, is not trusted with packets.</summary>
    private void RefuseShared()
    {
        if (!_options.AllowSharedFolder && _store.PrivacyFault() is { } fault)
        {
            throw new JournalException(JournalFault.NotPrivate,
                $"\"{_store.Path}\" is not this user's alone: {fault}. Nothing was changed. Name a directory of your own, or change "
                    + $"owner and mode (chmod go-w); in code, JournalOptions.{nameof(JournalOptions.AllowSharedFolder)} opens it all the same.");
        }
    }

    private IDisposable TakeLock()
    {
        // Not even the lock is left in a directory that is something else's.
        if (!_created)
        {
            JournalScan.CheckDirectory(_store, mayBeEmpty: _options.Create);
        }

        return WriterLock.Take(_store, "Close it there first.");
    }

    /// <summary>What is appended has higher numbers than all there is; above these there are none.</summary>
    private void RefuseBeyondAllReach()
    {
        long highest = Math.Max(_state.HighestPosition, _state.Synced);
        if (highest > SegmentHeader.MostPosition || _state.HighestEpoch == uint.MaxValue)
        {
            throw new JournalException(
                JournalFault.Damaged,
                $"The journal in \"{_store.Path}\" is damaged: a record claims position {highest.ToString(CultureInfo.InvariantCulture)} "
                    + $"in opening {_state.HighestEpoch.ToString(CultureInfo.InvariantCulture)}, and no journal comes that far. Nothing "
                    + "was changed. Move the directory away, or restore its files.");
        }
    }

    private void SetAsideOrRefuse()
    {
        JournalFinding first = _state.Findings.Find(f => f.Message.Length > 0);
        if (!_options.SetDamagedAside)
        {
            throw new JournalException(
                JournalFault.Damaged,
                $"The journal in \"{_store.Path}\" is damaged: {first.Message} Nothing was changed. Restore the files, or open it with "
                    + "SetDamagedAside = true; what is valid can be read as it is.");
        }

        _setAside = FileNames.Damaged + _state.NextDamaged.ToString(CultureInfo.InvariantCulture);
        _store.MakeFolder(_setAside);
        _store.SyncDirectory();   // before anything is in it: what is in a directory without an entry is lost
        foreach (StoreEntry entry in _store.List().OrderBy(static e => e.Name, StringComparer.Ordinal))
        {
            // Oldest first: until the end there is the segment that says which positions were given out.
            if (FileNames.IsRecords(entry.Name))
            {
                _store.Rename(entry.Name, _setAside + "/" + entry.Name);
            }
        }

        _store.SyncDirectory();

        // An id of its own: of what cannot be read nobody knows which positions it had given out.
        var anew = new JournalState
        {
            HighestEpoch = _state.HighestEpoch, HighestPosition = _state.HighestPosition, Reach = _state.Reach, Synced = _state.Synced,
        };
        anew.LastPosition = Math.Max(_state.HighestPosition, _state.Synced) + _state.Reach;
        anew.Spares.AddRange(_state.Spares);
        anew.Findings.AddRange(_state.Findings);
        _state = anew;
    }

    private SegmentWriter BeginFirst(SegmentDirectory directory)
    {
        _created |= _setAside is null;
        _store.SyncParent();   // the process that made the directory may have exited before that
        directory.TakeOver(_state);
        _state.Id = Guid.NewGuid();
        uint epoch = _state.HighestEpoch + 1;
        byte[] open = OpenRecord(_state.LastPosition, epoch);
        try
        {
            (IJournalFile file, SegmentHeader header) = directory.Begin(Header(1, _state.LastPosition + 1, epoch, previous: 0), open.Length,
                (f, h) => Check(f.WriteAll(SegmentHeader.Size, FinishedOpen(open, h.Sum, _state.LastPosition)), "written"));
            return new SegmentWriter(
                directory, _options, file, header, SegmentHeader.Size + open.Length, SumOf(open), _state.LastPosition, epoch);
        }
        catch (StoreException e) when (e.Error == StoreError.Full && _options.OpensOnFullDisk)
        {
            return new SegmentWriter(
                directory, _options, NoFile.Instance, Header(0, _state.LastPosition + 1, epoch, previous: 0), 0, 0, _state.LastPosition,
                epoch, new PendingOpen(open, _state.LastPosition, isFirst: true));
        }
    }

    private SegmentWriter Continue(SegmentDirectory directory)
    {
        HealHeaders();
        HeedNotes();
        SegmentState last = _state.Last!;
        long position = _state.LastPosition;
        long based = _state.Condition == JournalCondition.Closed ? position : position + _state.Reach;
        if (_state.Failed.Contains(FileNames.Failed(last.Sequence)))
        {
            return new TailCopy(_store, _options, _state, Header).Run(directory, based, OpenBody());
        }

        IJournalFile file = _store.Open(last.Name, writable: true);
        try
        {
            if (file.Length < last.Header.Length)
            {
                Check(file.Allocate(last.Header.Length), "given its length");
            }

            if (_state.Condition != JournalCondition.Closed)
            {
                Repair(last, file);
            }

            directory.TakeOver(_state);
            SegmentWriter Writer(PendingOpen? pending) => new(
                directory, _options, file, last.Header with { Reach = Reach() }, last.End, last.Chain, position, _state.HighestEpoch + 1,
                pending);
            SegmentWriter writer = Writer(null);
            try
            {
                writer.WriteControl(RecordKind.Open, based, OpenBody());
                writer.Sync();
            }
            catch (CommitRefused e) when (e.Fault.Fault == JournalFault.DiskFull && _options.OpensOnFullDisk)
            {
                writer = Writer(new PendingOpen(OpenRecord(based, writer.Epoch), position, isFirst: false));
            }

            return writer;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Writes a header whose one copy is damaged once more.</summary>
    private void HealHeaders()
    {
        byte[] block = new byte[SegmentHeader.Size];
        foreach (SegmentState segment in _state.Segments)
        {
            if (segment.HeaderState == HeaderState.OneCopy)
            {
                segment.Header.Write(block);
                using IJournalFile file = _store.Open(segment.Name, writable: true);
                Check(file.WriteAll(0, block), "written");
                Check(file.SyncAll(), "synced");
            }
        }
    }

    /// <summary>
    /// A segment that others follow may have a note as well: after a failed sync its successor's header proves nothing, and what is read
    /// here may be in the page cache alone. So all of its records are written again, in place, and synced. A note without a segment is of
    /// one that was dropped. The last segment's note stays for <see cref="TailCopy"/>.
    /// </summary>
    private void HeedNotes()
    {
        bool anyLeft = false;
        foreach (string note in _state.Failed)
        {
            _ = FileNames.IsFailed(note, out long sequence);
            if (sequence == _state.Last!.Sequence)
            {
                continue;
            }

            if (_state.Segments.Find(s => s.Sequence == sequence) is { } segment)
            {
                using IJournalFile file = _store.Open(segment.Name, writable: true);
                Copy(file, SegmentHeader.Size, file, SegmentHeader.Size, segment.End - SegmentHeader.Size);
                Check(file.SyncAll(), "synced");
            }

            _store.Delete(note);
            anyLeft = true;
        }

        if (anyLeft)
        {
            _store.SyncDirectory();
        }
    }

    /// <summary>
    /// Keeps what is cut off in a file of its own, makes what is kept durable, and zeroes what is not. Each step may be cut and done
    /// again.
    /// </summary>
    private void Repair(SegmentState last, IJournalFile file)
    {
        if (_state.TornEnd > last.End)
        {
            _cutBytes = _state.TornEnd - last.End;
            _tornFile = FileNames.Torn(last.Sequence, last.End);
            KeepTorn(file, last.End);
        }

        long from = FirstUnsynced(last, file);
        Copy(file, from, file, from, last.End - from);
        if (_cutBytes > 0)
        {
            Zero(file, last.End, last.Header.Length);
        }

        Check(file.SyncAll(), "synced");
    }

    /// <summary>
    /// It gets its name only once it is whole. If the name is there already, a recovery was cut after that: what is left at this place
    /// by now is zeros in part, and the first one's file has all of it.
    /// </summary>
    private void KeepTorn(IJournalFile file, long from)
    {
        if (!_store.List().Any(e => string.Equals(e.Name, _tornFile, StringComparison.Ordinal)))
        {
            _store.Delete(FileNames.SpareTorn);
            using (IJournalFile torn = _store.Create(FileNames.SpareTorn))
            {
                Copy(file, from, torn, 0, _cutBytes);
                Check(torn.SyncAll(), "synced");
            }

            _store.Rename(FileNames.SpareTorn, _tornFile!);
        }

        _store.SyncDirectory();
    }

    /// <summary>Where the records begin that nothing calls synced.</summary>
    private long FirstUnsynced(SegmentState last, IJournalFile file)
    {
        var scanner = new RecordScanner(file, last.Header);
        long from = SegmentHeader.Size;
        while (scanner.Next() && scanner.Position <= _state.Synced)
        {
            // What has no position of its own, behind the last packet, may be in the page cache alone.
            from = scanner.IsCounted ? scanner.Offset : from;
        }

        return Math.Min(from, last.End);
    }

    private static void Copy(IJournalFile from, long fromOffset, IJournalFile to, long toOffset, long count)
    {
        byte[] block = new byte[(int)Math.Min(CopyBytes, Math.Max(count, 1))];
        while (count > 0)
        {
            int part = from.ReadAll(fromOffset, block.AsSpan(0, (int)Math.Min(block.Length, count)));
            if (part == 0)
            {
                return;
            }

            Check(to.WriteAll(toOffset, block.AsSpan(0, part)), "written");
            (fromOffset, toOffset, count) = (fromOffset + part, toOffset + part, count - part);
        }
    }

    private static void Zero(IJournalFile file, long from, long to)
    {
        byte[] zeros = new byte[(int)Math.Min(CopyBytes, Math.Max(to - from, 1))];
        for (; from < to; from += zeros.Length)
        {
            Check(file.WriteAll(from, zeros.AsSpan(0, (int)Math.Min(zeros.Length, to - from))), "written");
        }
    }

    private static void Check(StoreError error, string done)
    {
        if (error != StoreError.None)
        {
            throw new StoreException(error, $"A segment cannot be {done} ({error})");
        }
    }

    private long Reach() => ((Math.Max(_options.SegmentBytes, _options.MaxPacketBytes) + _options.MaxQueuedBytes
        + _options.BatchBytes) / RecordHeader.Size) + 1;

    private SegmentHeader Header(long sequence, long first, uint epoch, uint previous) => new()
    {
        Journal = _state.Id,
        Sequence = sequence,
        FirstPosition = first,
        Epoch = epoch,
        Previous = previous,
        Time = RecordTime.Of(_options.TimeProvider.GetUtcNow()),
        Reach = Reach(),
        Sync = _options.Sync,
    };

    private byte[] OpenBody()
    {
        using Process self = Process.GetCurrentProcess();
        return new OpenNotes(Reach(), _options.Sync, self.Id, _backEnd).ToBytes();
    }

    private byte[] OpenRecord(long based, uint epoch)
    {
        byte[] body = OpenBody();
        byte[] record = new byte[RecordHeader.WholeSize(0, body.Length)];
        RecordHeader.Begin(record, RecordKind.Open, based, epoch, 0, 0, body.Length, RecordTime.Of(_options.TimeProvider.GetUtcNow()));
        body.CopyTo(record, RecordHeader.Size);
        return record;
    }

    private static byte[] FinishedOpen(byte[] record, uint previous, long synced)
    {
        RecordHeader.Finish(record, previous, synced);
        return record;
    }

    private static uint SumOf(byte[] record) => RecordHeader.Read(record).Sum;

    private string? Line()
    {
        if (_setAside is not null)
        {
            return $"journal {_store.Path}: damaged; set aside as {_setAside}, and begun anew: {_state.Findings[0].Message}";
        }

        return _state.Condition switch
        {
            JournalCondition.Torn => $"journal {_store.Path}: repaired a torn tail: {_cutBytes.ToString(CultureInfo.InvariantCulture)} "
                + $"bytes after position {_state.LastPosition.ToString(CultureInfo.InvariantCulture)} were cut off and kept in "
                + $"{_tornFile}; none of them was acknowledged as synced.{Shortened()}",
            JournalCondition.NotClosed => $"journal {_store.Path}: it was not closed; it is whole up to position "
                + $"{_state.LastPosition.ToString(CultureInfo.InvariantCulture)}.{Shortened()}",
            _ => null,
        };
    }

    private string Shortened() => !IsShortened ? string.Empty
        : $" {_state.Last!.Name} was cut: it had {_state.Last.FileLength.ToString(CultureInfo.InvariantCulture)} of its "
            + $"{_state.Last.Header.Length.ToString(CultureInfo.InvariantCulture)} bytes, and what stood behind them is gone.";

    private void GiveUp()
    {
        _lock?.Dispose();
        _store.Dispose();
    }
}
