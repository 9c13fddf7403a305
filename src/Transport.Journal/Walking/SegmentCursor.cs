using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>Goes from segment to segment of a directory that may be changing.</summary>
internal sealed class SegmentCursor(IJournalStore store) : IDisposable
{
    private IJournalFile? _file;

    /// <summary>Gets the walk over the segment; null before the first.</summary>
    public SegmentWalk? Walk { get; private set; }

    /// <summary>Gets the place within the segment; null before the first.</summary>
    public RecordScanner? Scanner => Walk?.Scanner;

    public IJournalFile File => _file!;

    /// <summary>Gets the numbers of the segments there are, in order.</summary>
    public List<long> List()
    {
        var sequences = new List<long>();
        IReadOnlyList<StoreEntry> entries = store.List();
        JournalDirectory.Expect(store, entries, mayBeEmpty: false);
        foreach (StoreEntry entry in entries)
        {
            if (FileNames.IsSegment(entry.Name, out long sequence))
            {
                sequences.Add(sequence);
            }
        }

        sequences.Sort();
        return sequences;
    }

    /// <summary>Reads a segment's header; false if there is no such file, or none that can be read.</summary>
    public bool TryHeader(long sequence, out SegmentHeader header)
    {
        var head = SegmentHead.Read(store, sequence);
        header = head.Header;
        return head.IsSegment;
    }

    /// <summary>
    /// Says, for a person, what is wrong with a segment that cannot be read or is not this journal's; null if nothing is.
    /// </summary>
    /// <param name="sequence">The segment's number.</param>
    /// <param name="journal">The journal's id; null if it is not known.</param>
    public string? WhyNot(long sequence, Guid? journal) => SegmentHead.Read(store, sequence).WhyNot(journal);

    /// <summary>Looks for the segment after the one that is walked.</summary>
    public void LookForSuccessor()
    {
        SegmentHeader own = Walk!.Scanner.Segment;
        Walk.Join(TryHeader(own.Sequence + 1, out SegmentHeader next) && next.Journal == own.Journal ? next : null);
    }

    /// <summary>Whether a later segment is there, though it cannot be read: if nobody writes any more, it will not come.</summary>
    public bool IsFollowed(in SegmentHeader after)
    {
        _ = NextSequence(after, out bool isLast);
        return !isLast;
    }

    /// <summary>
    /// The number of the next segment of this journal, with a header that can be read; 0 without one. Another one, whose header cannot be
    /// read or that is another journal's, may be there.
    /// </summary>
    public long NextSequence(in SegmentHeader after, out bool isLast)
    {
        isLast = true;
        foreach (long sequence in List())
        {
            isLast &= sequence <= after.Sequence;
            if (sequence > after.Sequence && TryHeader(sequence, out SegmentHeader header) && header.Journal == after.Journal)
            {
                return sequence;
            }
        }

        return 0;
    }

    /// <summary>Goes to the beginning of a segment; false if there is no such file, or none that can be read.</summary>
    public bool TryEnter(long sequence)
    {
        if (!TryHeader(sequence, out SegmentHeader header))
        {
            return false;
        }

        try
        {
            IJournalFile file = store.Open(FileNames.Segment(sequence), writable: false);
            _file?.Dispose();
            _file = file;
        }
        catch (StoreException e) when (e.Error is StoreError.Missing or StoreError.NotAFile)
        {
            return false;
        }

        Walk = new SegmentWalk(FileNames.Segment(sequence), new RecordScanner(_file, header));
        return true;
    }

    /// <summary>Whether the file that is being read is still the segment it was: not dropped, and not used again.</summary>
    public bool IsStillThere() => Scanner is { } scanner && TryHeader(scanner.Segment.Sequence, out SegmentHeader now)
        && now.Sum == scanner.Segment.Sum;

    public void Dispose() => _file?.Dispose();
}
