using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>
/// Reads a journal's packets in order. Takes no lock, changes nothing, may run beside the writer, also in another process. For one thread
/// at a time.
/// </summary>
public sealed partial class JournalReader : IDisposable
{
    private readonly IJournalStore _store;
    private readonly AppendEngine? _engine;
    private readonly JournalReaderOptions _options;
    private readonly SegmentCursor _cursor;
    private readonly RecordFilter _filter;
    private readonly CommittedLimit _limit;
    private readonly WriterWatch _watch;
    private readonly ReaderTurn _turn = new();
    private SegmentEntry? _held;
    private long _shown, _synced, _lookedUpTo, _inFiles;
    private bool _isDisposed, _isOver;

    private JournalReader(IJournalStore store, AppendEngine? engine, JournalReaderOptions options)
    {
        (_store, _engine, _options) = (store, engine, options);
        _cursor = new SegmentCursor(store);
        _filter = new RecordFilter(options);
        _limit = new CommittedLimit(engine);
        _watch = new WriterWatch(store, options.PollInterval);
    }

    /// <summary>Gets the position of the last packet that was looked at, shown or not; reading goes on after it.</summary>
    public long Position { get; private set; }

    /// <summary>Gets, of a reader of an open journal, the position up to which it has looked at what is committed.</summary>
    internal long LookedUpTo => _lookedUpTo;

    /// <summary>Gets the id of the journal that is read; <see cref="Guid.Empty"/> as long as there is no segment of it.</summary>
    public Guid Id => _cursor.Scanner?.Segment.Journal ?? Guid.Empty;

    /// <summary>
    /// Gets what ended reading, once <see cref="TryRead"/> was false: Closed, NotClosed, Torn or Damaged. For a reader that follows
    /// NotClosed as long as the writer may go on.
    /// </summary>
    public JournalCondition Condition { get; private set; } = JournalCondition.NotClosed;

    /// <summary>Gets, once <see cref="TryRead"/> was false, where and why reading ended, for a person; null if it was closed.</summary>
    public string? Ending { get; private set; }

    /// <summary>Opens the journal in a directory for reading; it may be in use by a writer, closed, killed or damaged.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="options">What to show; null: everything there is.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="JournalException">
    /// <see cref="JournalFault.NotAJournal"/>, <see cref="JournalFault.NoAccess"/>,
    /// <see cref="JournalFault.TooNew"/>, <see cref="JournalFault.ReadFailed"/>;
    /// <see cref="JournalFault.Compacted"/>: <see cref="JournalReaderOptions.From"/> was dropped.
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> is null.</exception>
    public static JournalReader Open(string directory, JournalReaderOptions? options = null) =>
        Open(StoreChoice.For(directory ?? throw new ArgumentNullException(nameof(directory))), null, options);

    /// <summary>Reads the next packet that the filters let through.</summary>
    /// <param name="record">The packet; its body is on loan until the next call.</param>
    /// <returns>
    /// Whether there was one. False is the end of a reader that does not follow; for one that follows it means: nothing more that is
    /// committed, now.
    /// </returns>
    /// <exception cref="JournalException">
    /// <see cref="JournalFault.Compacted"/>: it has been dropped meanwhile; <see cref="JournalFault.ReadFailed"/>;
    /// <see cref="JournalFault.Closed"/>: this reader.
    /// </exception>
    public bool TryRead(out JournalRecord record)
    {
        _turn.GoOn();
        if (_isDisposed)
        {
            throw new JournalException(JournalFault.Closed, "This reader was disposed of.");
        }

        try
        {
            (_lookedUpTo, _inFiles) = (_engine?.Committed ?? 0, _engine?.InFiles ?? 0);
            return Read(out record);
        }
        catch (StoreException e)
        {
            throw Faults.From(e, JournalFault.ReadFailed);
        }
    }

    /// <summary>Reads on from where the reader is: <c>foreach (JournalRecord record in reader)</c>. Allocates nothing.</summary>
    /// <returns>What <c>foreach</c> uses. It ends where <see cref="TryRead"/> is false; of a reader that follows, another loop goes on
    /// there.</returns>
    public JournalEnumerator GetEnumerator() => new(this);

    /// <summary>Gives every packet that can be read now to a handler: for asynchronous methods, which have no <c>foreach</c> over
    /// records up to C# 12.</summary>
    /// <param name="handler">Called with each packet, on this thread. What it throws ends the call; reading goes on behind that
    /// packet.</param>
    /// <param name="atMost">How many packets; all by default.</param>
    /// <returns>How many were read; fewer than <paramref name="atMost"/> where <see cref="TryRead"/> is false.</returns>
    /// <exception cref="JournalException">As with <see cref="TryRead"/>.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="atMost"/> is negative.</exception>
    public long Read(JournalRecordHandler handler, long atMost = long.MaxValue)
    {
        _ = handler ?? throw new ArgumentNullException(nameof(handler));
        if (atMost < 0)
        {
            throw new ArgumentOutOfRangeException(nameof(atMost), atMost, "Expected 0 or more packets.");
        }

        long read = 0;
        for (; read < atMost && TryRead(out JournalRecord record); read++)
        {
            handler(record);
        }

        return read;
    }

    /// <summary>Ends reading and gives the files free.</summary>
    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _turn.GoOn();
            Release();
            _cursor.Dispose();
            _store.Dispose();
        }
    }

    internal static JournalReader Open(IJournalStore store, AppendEngine? engine, JournalReaderOptions? options)
    {
        JournalReader? reader = null;
        try
        {
            reader = new JournalReader(store, engine, (options ?? new JournalReaderOptions()).CheckedCopy());
            reader.EnterFirst();
            return reader;
        }
        catch (Exception e)
        {
            reader?.Dispose();
            store.Dispose();
            if (e is StoreException failed)
            {
                throw Faults.From(failed, JournalFault.ReadFailed);
            }

            throw;
        }
    }

    private bool Read(out JournalRecord record)
    {
        record = default;
        while (!_isOver)
        {
            if (_cursor.Walk is not { } walk)
            {
                if (!EnterFirst())
                {
                    return false;
                }

                continue;
            }

            if (walk.IsPassed)
            {
                EnterNext();
                continue;
            }

            RecordScanner scanner = walk.Scanner;
            if (_options.Follow && !_limit.Allows(_cursor) && !IsControlNext(scanner))
            {
                // What comes next may be in a segment that was begun after this one was entered.
                _cursor.LookForSuccessor();
                if (walk.IsPassed)
                {
                    continue;
                }

                return ReportEnd(JournalCondition.NotClosed, null);
            }

            if (!walk.TryNext())
            {
                if (GoOn(walk))
                {
                    continue;
                }

                return false;
            }

            _synced = Math.Max(_synced, scanner.Synced);
            if (scanner.Kind == RecordKind.Packet && scanner.Position > _shown)
            {
                Position = _shown = scanner.Position;
                if (_filter.Shows(scanner, out RecordHeader header, out string node))
                {
                    record = new JournalRecord(header.Position, RecordTime.From(header.Time), node, header.Type, scanner.Body, _turn);
                    return true;
                }
            }
        }

        return false;
    }

    /// <summary>Goes to the segment of the first position that is wanted; false if there is none yet.</summary>
    private bool EnterFirst()
    {
        while (true)
        {
            List<long> sequences = _cursor.List();
            (long entered, long gone) = FindFirst(sequences);
            bool isEntered = entered != 0 && Enter(entered);
            gone = gone == 0 && entered != 0 && !isEntered ? entered : gone;
            if (gone != 0 && !_cursor.List().Contains(gone))
            {
                continue;   // it was dropped while it was looked at
            }

            if (gone != 0)
            {
                Damage(_cursor.WhyNot(gone, null) ?? TailVerdict.NoHeader(FileNames.Segment(gone)));
            }

            return isEntered || ReportEnd(sequences.Count == 0 ? JournalCondition.Closed : JournalCondition.Damaged, null);
        }
    }

    /// <summary>
    /// Looks for the segment to begin with; 0 if there is none. Of an unreadable header nothing is known: reading begins before it, or
    /// behind it if damage is to be read over.
    /// </summary>
    private (long Entered, long Unreadable) FindFirst(List<long> sequences)
    {
        long entered = 0, unreadable = 0;
        for (int i = 0; i < sequences.Count; i++)
        {
            if (_cursor.TryHeader(sequences[i], out SegmentHeader header))
            {
                if (entered != 0 && header.FirstPosition > Math.Max(_options.From, 1))
                {
                    break;
                }

                if (entered == 0 && _options.From > 0 && header.FirstPosition > _options.From && header.Sequence > 1 && i == 0)
                {
                    throw Compacted(_options.From, header.FirstPosition);
                }

                entered = sequences[i];
            }
            else if (entered == 0)
            {
                unreadable = sequences[i];
                if (!_options.PastDamage)
                {
                    break;
                }
            }
        }

        return (entered, unreadable);
    }

    private bool Enter(long sequence)
    {
        Release();
        if (!_cursor.TryEnter(sequence))
        {
            return false;
        }

        _held = _engine?.Directory.Hold(_cursor.Scanner!.Segment.FirstPosition);
        _synced = Math.Max(_synced, _cursor.Scanner!.Synced);
        _cursor.LookForSuccessor();
        return true;
    }

    private void EnterNext()
    {
        if (!Enter(_cursor.Scanner!.Segment.Sequence + 1))
        {
            throw Overtaken();
        }
    }

    /// <summary>What follows may be a record that is no packet: nothing to show, so nothing to wait for.</summary>
    private static bool IsControlNext(RecordScanner scanner)
    {
        scanner.Refresh();
        return scanner.TryHeader(scanner.Offset, out RecordHeader next) && next.Kind != RecordKind.Packet;
    }

    private void Release()
    {
        if (_held is not null)
        {
            _engine!.Directory.Release(_held);
            _held = null;
        }
    }

    private JournalException Overtaken()
    {
        List<long> left = _cursor.List();
        long oldest = left.Count > 0 && _cursor.TryHeader(left[0], out SegmentHeader first) ? first.FirstPosition : 0;
        return Compacted(_shown + 1, oldest);
    }

    private static JournalException Compacted(long wanted, long oldest) =>
        new(JournalFault.Compacted,
            $"Position {wanted} was dropped by compaction; the oldest that can be read is {oldest}. Read from there.") { OldestPosition =
            oldest };
}
