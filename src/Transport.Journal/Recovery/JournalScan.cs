using System;
using System.Collections.Generic;
using System.Globalization;
using Transport.Journal.Format;
using Transport.Journal.Reading;
using Transport.Journal.Storing;

namespace Transport.Journal.Recovery;

/// <summary>Finds out in which state a journal is: docs/journal-design.md, "States after a crash". Changes nothing.</summary>
internal sealed class JournalScan
{
    private readonly IJournalStore _store;
    private readonly IRecordVisitor? _visitor;
    private readonly JournalState _state = new();
    private bool _damaged;
    private bool _closed;

    private JournalScan(IJournalStore store, IRecordVisitor? visitor) => (_store, _visitor) = (store, visitor);

    /// <summary>Looks at a directory.</summary>
    /// <param name="store">The directory.</param>
    /// <param name="visitor">Sees every sound record, or null.</param>
    /// <param name="lastOnly">Whether of all segments but the last only the headers are read.</param>
    /// <param name="mayBeEmpty">Whether an empty directory is a journal that is to be made.</param>
    /// <exception cref="JournalException">It is no journal, or one of a later version.</exception>
    /// <exception cref="StoreException">The system.</exception>
    public static JournalState Run(IJournalStore store, IRecordVisitor? visitor = null, bool lastOnly = false, bool mayBeEmpty = false)
    {
        var scan = new JournalScan(store, visitor);
        foreach (SegmentName name in scan.ListNames(mayBeEmpty))
        {
            scan._state.Segments.Add(scan.ReadHeader(name.Sequence, name.Name));
        }

        for (int i = 0; i < scan._state.Segments.Count; i++)
        {
            scan.Look(i, lastOnly);
        }

        return scan.Conclude();
    }

    /// <summary>Says no where a directory holds something else; reads names only.</summary>
    /// <exception cref="JournalException"><see cref="JournalFault.NotAJournal"/>.</exception>
    /// <exception cref="StoreException">The system.</exception>
    public static void CheckDirectory(IJournalStore store, bool mayBeEmpty) => _ = new JournalScan(store, null).ListNames(mayBeEmpty);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private List<SegmentName> ListNames(bool mayBeEmpty)
    {
        bool isOurs = false, isEmpty = true, isStrange = false;
        var names = new List<SegmentName>();
        foreach (StoreEntry entry in _store.List())
        {
            isEmpty = false;
            if (FileNames.IsSegment(entry.Name, out long sequence))
            {
                names.Add(new SegmentName(sequence, entry.Name));   // whatever it is: a folder in its place is damage
            }
            else if (FileNames.IsDamaged(entry.Name, out int number))
            {
                _state.NextDamaged = Math.Max(_state.NextDamaged, (number % int.MaxValue) + 1);   // also where that is a file, and not ours
            }
            else if (FileNames.IsFailed(entry.Name, out _))
            {
                _state.Failed.Add(entry.Name);
            }
            else if (FileNames.IsSpare(entry.Name))
            {
                _state.Spares.Add(entry.Name);
            }

            isOurs |= string.Equals(entry.Name, FileNames.Lock, StringComparison.Ordinal);
            isStrange |= !FileNames.IsOurs(entry.Name);
        }

        // A journal that never came to its first segment has nothing beside its lock; others have locks too.
        if (names.Count == 0 && (isStrange || !(isOurs || (isEmpty && mayBeEmpty))))
        {
            throw new JournalException(JournalFault.NotAJournal, $"\"{_store.Path}\" holds no journal: a journal has files named 0000000001{FileNames.SegmentEnd} and so on.");
        }

        names.Sort(static (a, b) => a.Sequence.CompareTo(b.Sequence));
        return names;
    }

    private SegmentState ReadHeader(long sequence, string name)
    {
        byte[] bytes = new byte[SegmentHeader.Size];
        IJournalFile opened;
        try
        {
            opened = _store.Open(name, writable: false);
        }
        catch (StoreException e) when (e.Error == StoreError.NotAFile)
        {
            return new SegmentState { Name = name, Sequence = sequence, FileLength = 0, HeaderState = HeaderState.Unreadable, IsNoFile = true };
        }

        using IJournalFile file = opened;
        int count = file.ReadAll(0, bytes);
        HeaderState sound = SegmentHeader.Read(bytes.AsSpan(0, count), out SegmentHeader header);
        if (sound == HeaderState.TooNew)
        {
            throw new JournalException(JournalFault.TooNew, $"\"{name}\" in \"{_store.Path}\" is of a later version than {SegmentHeader.Version}, the one that is known here.");
        }

        return new SegmentState
        {
            Name = name,
            Sequence = sequence,
            FileLength = file.Length,
            Header = header,
            HeaderState = sound,
            LastPosition = header.FirstPosition - 1,
            End = sound == HeaderState.Unreadable ? 0 : SegmentHeader.Size,
            Chain = header.Sum,
            LastTime = header.Time,
        };
    }

    private void Look(int index, bool lastOnly)
    {
        SegmentState segment = _state.Segments[index];
        if (!JudgeHeader(index, segment))
        {
            return;
        }

        SegmentState? next = index + 1 < _state.Segments.Count ? _state.Segments[index + 1] : null;
        SegmentHeader? successor = next is { HeaderState: HeaderState.Sound or HeaderState.OneCopy } && next.Sequence == segment.Sequence + 1 ? next.Header : null;
        _state.HighestEpoch = Math.Max(_state.HighestEpoch, segment.Header.Epoch);
        _state.Synced = Math.Max(_state.Synced, segment.Header.FirstPosition - 1);
        _state.HighestPosition = Math.Max(_state.HighestPosition, segment.Header.FirstPosition - 1);
        _state.Reach = segment.Header.Reach;
        if (lastOnly && successor is { } sealedBy)
        {
            segment.LastPosition = sealedBy.FirstPosition - 1;
            segment.Chain = sealedBy.Previous;
            segment.LastTime = sealedBy.Time;
            return;
        }

        using IJournalFile file = _store.Open(segment.Name, writable: false);
        ScanRecords(segment, file, successor, isLast: next is null);
    }

    /// <summary>Whether the segment's records can be looked at.</summary>
    private bool JudgeHeader(int index, SegmentState segment)
    {
        SegmentHeader header = segment.Header;
        if (segment.IsNoFile)
        {
            Damage(segment.Name, 0, _state.LastPosition, Text($"{segment.Name}: it is no regular file (a directory, a link, a pipe?), and segments are."));
            return false;
        }

        if (segment.HeaderState == HeaderState.Unreadable)
        {
            Damage(segment.Name, 0, _state.LastPosition, Text($"{segment.Name}: its header cannot be read (both copies); it was synced before the file got its name."));
            return false;
        }

        if (segment.HeaderState == HeaderState.OneCopy)
        {
            _state.Findings.Add(new JournalFinding(segment.Name, 0, header.FirstPosition, $"{segment.Name}: one of the two copies of its header is damaged; the other is sound."));
        }

        if (_state.Id == Guid.Empty)
        {
            _state.Id = header.Journal;
        }

        SegmentState? before = index > 0 ? _state.Segments[index - 1] : null;
        if (header.Sequence != segment.Sequence || header.Journal != _state.Id)
        {
            Damage(segment.Name, 0, header.FirstPosition, Text($"{segment.Name}: its header is that of segment {header.Sequence} of journal {header.Journal}."));
            return false;
        }

        if (before is not null && before.Sequence + 1 != segment.Sequence)
        {
            Damage(segment.Name, 0, header.FirstPosition, Text($"{FileNames.Segment(before.Sequence + 1)} is missing: between {before.Name} and {segment.Name}."));
        }

        if (segment.FileLength < header.Length)
        {
            _state.Findings.Add(new JournalFinding(
                segment.Name, segment.FileLength, header.FirstPosition, Text($"{segment.Name}: {segment.FileLength} bytes long, and its header says {header.Length}.")));
        }

        return true;
    }

    private void ScanRecords(SegmentState segment, IJournalFile file, SegmentHeader? successor, bool isLast)
    {
        var scanner = new RecordScanner(file, segment.Header);
        long joinAt = successor?.FirstPosition - 1 ?? -1;
        uint joinSum = successor?.Previous ?? 0;
        _closed = false;
        bool joined = scanner.Position == joinAt && scanner.Chain == joinSum;
        TailSearch? tail = null;
        for (bool more = true; more;)
        {
            joined = joined || CountSound(segment, scanner, joinAt, joinSum);

            // Beside a writer, what was not there a moment ago has come before whatever is found behind it; damage stays.
            tail = joined || !isLast ? null : TailSearch.Behind(file, scanner);
            more = tail is not null && tail.Synced > scanner.Position && scanner.HasCome();
        }

        segment.IsScanned = true;
        segment.End = scanner.Offset;
        segment.Chain = scanner.Chain;
        segment.LastPosition = scanner.Position;
        if (!_damaged)
        {
            _state.LastPosition = scanner.Position;
        }

        _state.Synced = Math.Max(_state.Synced, scanner.Synced);
        _state.HighestPosition = Math.Max(_state.HighestPosition, scanner.Position);
        _state.HighestEpoch = Math.Max(_state.HighestEpoch, scanner.Epoch);
        if (joined)
        {
            return;
        }

        if (!isLast)
        {
            Damage(segment.Name, scanner.Offset, scanner.Position + 1, TailVerdict.Broken(segment.Name, scanner, successor));
            return;
        }

        JudgeTail(segment, scanner, tail!);
    }

    /// <summary>Goes on over sound records, to the one that the next segment follows: true; or to the last one.</summary>
    private bool CountSound(SegmentState segment, RecordScanner scanner, long joinAt, uint joinSum)
    {
        while (true)
        {
            int packets = _visitor is null ? scanner.NextPackets(joinAt) : 0;
            if (packets == 0 && !scanner.Next())
            {
                return false;
            }

            Count(segment, scanner, Math.Max(packets, 1));
            if (scanner.Position == joinAt && scanner.Chain == joinSum)
            {
                return true;
            }
        }
    }

    /// <summary>Counts the record that the scanner has passed; or so many, all of them packets.</summary>
    private void Count(SegmentState segment, RecordScanner scanner, int records)
    {
        _closed = scanner.Kind == RecordKind.Close;
        if (scanner.Kind == RecordKind.Open)
        {
            _state.Reach = Math.Max(segment.Header.Reach, OpenNotes.From(scanner.Body.Span).Reach);
        }
        else if (scanner.Kind == RecordKind.Packet)
        {
            long first = scanner.Position - records + 1;
            segment.Packets += records;
            segment.LastTime = scanner.Time;
            segment.FirstPacket = segment.FirstPacket == 0 ? first : segment.FirstPacket;
            if (!_damaged)
            {
                _state.Packets += records;
                _state.FirstPacket = _state.FirstPacket == 0 ? first : _state.FirstPacket;
                _state.LastPacket = scanner.Position;
            }
        }

        if (!_damaged)
        {
            _visitor?.Visit(scanner);
        }
    }

    private void JudgeTail(SegmentState segment, RecordScanner scanner, TailSearch tail)
    {
        _state.Synced = Math.Max(_state.Synced, tail.Synced);
        _state.HighestPosition = Math.Max(_state.HighestPosition, tail.Position);
        _state.HighestEpoch = Math.Max(_state.HighestEpoch, tail.Epoch);
        (JournalCondition condition, string? message) = TailVerdict.Of(segment.Name, scanner, tail, _state.Synced, _closed);
        if (condition == JournalCondition.Damaged)
        {
            Damage(segment.Name, scanner.Offset, scanner.Position + 1, message!);
            return;
        }

        _state.Condition = condition;
        _state.TornEnd = condition == JournalCondition.Torn ? tail.TraceEnd : 0;
        if (message is not null)
        {
            _state.Findings.Add(new JournalFinding(segment.Name, scanner.Offset, scanner.Position, message));
        }
    }

    private void Damage(string name, long offset, long position, string message)
    {
        _damaged = true;
        _state.Findings.Add(new JournalFinding(name, offset, position, message));
    }

    private JournalState Conclude()
    {
        if (_damaged)
        {
            _state.Condition = JournalCondition.Damaged;
        }

        return _state;
    }

    /// <summary>A class, as <see cref="StoreEntry"/> is and for the same reason.</summary>
    private sealed record SegmentName(long Sequence, string Name);
}
