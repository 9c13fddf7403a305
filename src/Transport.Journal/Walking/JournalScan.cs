using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>Finds out in which state a journal is: docs/design/journal.md, "States after a crash". Changes nothing.</summary>
internal sealed class JournalScan
{
    /// <summary>
    /// A thread costs more than it brings for less: 64 MiB are summed in 10 ms, and the first parallel loop of a process is made ready in
    /// as many.
    /// </summary>
    private const long WorthThreads = 128L << 20;

    private const int MostThreads = 4;

    private readonly IJournalStore _store;
    private readonly IRecordVisitor? _visitor;
    private readonly NodeNames? _names;
    private readonly JournalState _state = new();
    private SegmentRecords?[]? _ahead;
    private bool _damaged;

    private JournalScan(IJournalStore store, IRecordVisitor? visitor, NodeNames? names) =>
        (_store, _visitor, _names) = (store, visitor, names);

    /// <summary>Looks at a directory.</summary>
    /// <param name="store">The directory.</param>
    /// <param name="visitor">Sees every valid record, or null.</param>
    /// <param name="lastOnly">Whether of all segments but the last only the headers are read.</param>
    /// <param name="mayBeEmpty">Whether an empty directory is a journal that is to be made.</param>
    /// <param name="worthThreads">How many bytes are worth looking at segments several at a time, which a visitor cannot.</param>
    /// <param name="names">Looks at the names of nodes; from several threads.</param>
    /// <exception cref="JournalException">It is no journal, or one of a later version.</exception>
    /// <exception cref="StoreException">The system.</exception>
    public static JournalState Run(IJournalStore store, IRecordVisitor? visitor = null, bool lastOnly = false, bool mayBeEmpty = false,
        long worthThreads = WorthThreads, NodeNames? names = null)
    {
        var scan = new JournalScan(store, visitor, names);
        foreach (SegmentName name in scan.ListNames(mayBeEmpty))
        {
            scan._state.Segments.Add(scan.ReadHeader(name.Sequence, name.Name));
        }

        if (visitor is null && !lastOnly && scan._state.Segments.Count > 2)
        {
            scan.LookAhead(worthThreads);
        }

        for (int i = 0; i < scan._state.Segments.Count; i++)
        {
            scan.Look(i, lastOnly);
        }

        return scan.Conclude();
    }

    /// <summary>Says no if a directory holds something else; reads names only.</summary>
    /// <exception cref="JournalException"><see cref="JournalFault.NotAJournal"/>.</exception>
    /// <exception cref="StoreException">The system.</exception>
    public static void CheckDirectory(IJournalStore store, bool mayBeEmpty) => JournalDirectory.Expect(store, store.List(), mayBeEmpty);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private List<SegmentName> ListNames(bool mayBeEmpty)
    {
        IReadOnlyList<StoreEntry> entries = _store.List();
        JournalDirectory.Expect(_store, entries, mayBeEmpty);
        var names = new List<SegmentName>();
        foreach (StoreEntry entry in entries)
        {
            if (FileNames.IsSegment(entry.Name, out long sequence))
            {
                names.Add(new SegmentName(sequence, entry.Name));   // whatever it is: a folder in its place is damage
            }
            else if (FileNames.IsDamaged(entry.Name, out int number))
            {
                _state.NextDamaged = Math.Max(_state.NextDamaged, (number % int.MaxValue) + 1);   // also if that is a file, and not ours
            }
            else if (FileNames.IsFailed(entry.Name, out _))
            {
                _state.Failed.Add(entry.Name);
            }
            else if (FileNames.IsDropped(entry.Name, out _))
            {
                _state.Dropped.Add(entry.Name);
            }
            else if (FileNames.IsSpare(entry.Name))
            {
                _state.Spares.Add(entry.Name);
            }
        }

        names.Sort(static (a, b) => a.Sequence.CompareTo(b.Sequence));
        return names;
    }

    private SegmentState ReadHeader(long sequence, string name)
    {
        var head = SegmentHead.Read(_store, sequence, name);
        if (head.Failure is { Error: StoreError.Missing } gone)
        {
            throw gone;   // since it was listed
        }

        return new SegmentState
        {
            Name = name,
            Head = head,
            Sequence = sequence,
            FileLength = head.FileLength,
            Header = head.Header,
            HeaderState = head.State,
            IsNoFile = head.Failure is not null,
            LastPosition = head.Header.FirstPosition - 1,
            End = head.IsReadable ? SegmentHeader.Size : 0,
            Chain = head.Header.Sum,
            LastTime = head.Header.Time,
        };
    }

    private void Look(int index, bool lastOnly)
    {
        SegmentState segment = _state.Segments[index];
        if (!JudgeHeader(index, segment))
        {
            return;
        }

        bool isLast = index + 1 == _state.Segments.Count;
        SegmentHeader? successor = SuccessorOf(index);
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

        Take(segment, _ahead?[index] ?? Look(segment, successor, isLast), isLast);
    }

    /// <summary>Behind damage nobody sees records.</summary>
    private SegmentRecords Look(SegmentState segment, SegmentHeader? successor, bool isLast) =>
        SegmentRecords.Look(_store, segment, successor, isLast, _damaged ? null : _visitor, _damaged ? null : _names);

    /// <summary>Whether the segment's records can be looked at.</summary>
    private bool JudgeHeader(int index, SegmentState segment)
    {
        SegmentHeader header = segment.Header;
        if (segment.IsNoFile)
        {
            Damage(segment.Name, 0, _state.LastPosition, TailVerdict.NoFile(segment.Name));
            return false;
        }

        if (segment.HeaderState == HeaderState.Unreadable)
        {
            Damage(segment.Name, 0, _state.LastPosition, TailVerdict.NoHeader(segment.Name));
            return false;
        }

        if (segment.HeaderState == HeaderState.OneCopy)
        {
            string message = $"{segment.Name}: one of the two copies of its header is damaged; the other is valid.";
            _state.Findings.Add(Finding(segment.Name, 0, header.FirstPosition, message));
        }

        if (_state.Id == Guid.Empty)
        {
            _state.Id = header.Journal;
        }

        SegmentState? before = index > 0 ? _state.Segments[index - 1] : null;
        if (header.Sequence != segment.Sequence || header.Journal != _state.Id)
        {
            Damage(segment.Name, 0, header.FirstPosition, TailVerdict.Foreign(segment.Name, header));
            return false;
        }

        if (before is not null && before.Sequence + 1 != segment.Sequence)
        {
            Damage(segment.Name, 0, header.FirstPosition,
                Text($"{FileNames.Segment(before.Sequence + 1)} is missing: between {before.Name} and {segment.Name}."));
        }

        if (segment.FileLength < header.Length)
        {
            _state.Findings.Add(Finding(
                segment.Name, segment.FileLength, header.FirstPosition,
                    Text($"{segment.Name}: {segment.FileLength} bytes long, and its header says {header.Length}.")));
        }

        return true;
    }

    /// <summary>Adds a segment's totals to the journal's.</summary>
    private void Take(SegmentState segment, SegmentRecords records, bool isLast)
    {
        RecordScanner scanner = records.Walk.Scanner;
        segment.IsScanned = true;
        segment.End = scanner.Offset;
        segment.Chain = scanner.Chain;
        segment.LastPosition = scanner.Position;
        segment.Packets = records.Packets;
        segment.FirstPacket = records.FirstPacket;
        segment.LastTime = records.LastTime ?? segment.LastTime;
        if (!_damaged)
        {
            _state.LastPosition = scanner.Position;
            if (records.Packets > 0)
            {
                _state.Packets += records.Packets;
                _state.FirstPacket = _state.FirstPacket == 0 ? records.FirstPacket : _state.FirstPacket;
                _state.LastPacket = records.LastPacket;
            }
        }

        _state.Reach = records.Reach ?? _state.Reach;
        _state.Synced = Math.Max(_state.Synced, scanner.Synced);
        _state.HighestPosition = Math.Max(_state.HighestPosition, scanner.Position);
        _state.HighestEpoch = Math.Max(_state.HighestEpoch, scanner.Epoch);
        if (records.IsJoined)
        {
            return;
        }

        Judge(records.Walk, records.Tail, isLast);
    }

    /// <summary>
    /// Looks at the records of segments that another follows, several at a time, if there are enough of them: each is judged apart,
    /// and taken in its turn.
    /// </summary>
    private void LookAhead(long worthThreads)
    {
        int[] followed = [.. Enumerable.Range(0, _state.Segments.Count - 1)
            .Where(i => IsReadable(_state.Segments[i]) && SuccessorOf(i) is not null)];
        if (followed.Length < 2 || Environment.ProcessorCount < 2 || followed.Sum(i => _state.Segments[i].Header.Length) < worthThreads)
        {
            return;
        }

        _ahead = new SegmentRecords?[_state.Segments.Count];
        var options = new ParallelOptions { MaxDegreeOfParallelism = Math.Min(Environment.ProcessorCount, MostThreads) };
        Parallel.For(0, followed.Length, options, n =>
        {
            int i = followed[n];
            try
            {
                _ahead[i] = SegmentRecords.Look(_store, _state.Segments[i], SuccessorOf(i), isLast: false, visitor: null, _names);
            }
            catch (StoreException)
            {
                // It is looked at again in its turn, and what fails then is reported.
            }
        });
    }

    private static bool IsReadable(SegmentState segment) => segment.Head is { IsReadable: true };

    private SegmentHeader? SuccessorOf(int index) =>
        index + 1 < _state.Segments.Count && _state.Segments[index + 1] is { } next && IsReadable(next)
            && next.Sequence == _state.Segments[index].Sequence + 1
        && next.Header.Sequence == next.Sequence && next.Header.Journal == _state.Segments[index].Header.Journal ? next.Header : null;

    /// <summary>What is wrong with a segment that nothing can be read of.</summary>
    private string? WhyNot(long sequence) => _state.Segments.Find(s => s.Sequence == sequence) is { } next
        ? next.Head!.WhyNot(_state.Id)
        : TailVerdict.Missing(FileNames.Segment(sequence));

    private void Judge(SegmentWalk walk, TailSearch? tail, bool isLast)
    {
        RecordScanner scanner = walk.Scanner;
        if (tail is not null)
        {
            _state.Synced = Math.Max(_state.Synced, tail.Synced);
            _state.HighestPosition = Math.Max(_state.HighestPosition, tail.Position);
            _state.HighestEpoch = Math.Max(_state.HighestEpoch, tail.Epoch);
        }

        string? whyNot = isLast ? null : WhyNot(scanner.Segment.Sequence + 1);
        (JournalCondition condition, string? message) = walk.Judge(tail, _state.Synced, isLast, whyNot);
        if (condition == JournalCondition.Damaged)
        {
            Damage(walk.Name, scanner.Offset, scanner.Position + 1, message!);
            return;
        }

        _state.Condition = condition;
        _state.TornEnd = condition == JournalCondition.Torn ? tail!.TraceEnd : 0;
        if (message is not null)
        {
            _state.Ending = Finding(walk.Name, scanner.Offset, scanner.Position, message);
            _state.Findings.Add(_state.Ending.Value);
        }
    }

    private void Damage(string name, long offset, long position, string message)
    {
        _damaged = true;
        _state.Findings.Add(Finding(name, offset, position, message));
    }

    private static JournalFinding Finding(string name, long offset, long position, string message) =>
        new() { File = name, Offset = offset, Position = position, Message = message };

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
