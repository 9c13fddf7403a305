using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>Goes from segment to segment of a directory that may be changing.</summary>
internal sealed class SegmentCursor(IJournalStore store) : IDisposable
{
    private IJournalFile? _file;

    /// <summary>Gets the place within the segment; null before the first.</summary>
    public RecordScanner? Scanner { get; private set; }

    public string Name { get; private set; } = string.Empty;

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

    /// <summary>Reads a segment's header; false where there is no such file, or none that can be read.</summary>
    public bool TryHeader(long sequence, out SegmentHeader header)
    {
        header = default;
        byte[] bytes = new byte[SegmentHeader.Size];
        try
        {
            using IJournalFile file = store.Open(FileNames.Segment(sequence), writable: false);
            return IsReadable(SegmentHeader.Read(bytes.AsSpan(0, file.ReadAll(0, bytes)), out header)) && header.Sequence == sequence;
        }
        catch (StoreException e) when (e.Error is StoreError.Missing or StoreError.NotAFile)
        {
            return false;
        }
    }

    /// <summary>Says, for a person, what is wrong with a segment that <see cref="TryHeader"/> cannot read, or that is not this journal's; null where nothing is.</summary>
    /// <param name="sequence">The segment's number.</param>
    /// <param name="journal">The journal's id; null where it is not known.</param>
    public string? WhyNot(long sequence, Guid? journal)
    {
        string name = FileNames.Segment(sequence);
        byte[] bytes = new byte[SegmentHeader.Size];
        try
        {
            using IJournalFile file = store.Open(name, writable: false);
            return !IsReadable(SegmentHeader.Read(bytes.AsSpan(0, file.ReadAll(0, bytes)), out SegmentHeader header)) ? TailVerdict.NoHeader(name)
                : header.Sequence != sequence || (journal is { } own && header.Journal != own) ? TailVerdict.Foreign(name, header)
                : null;
        }
        catch (StoreException e) when (e.Error is StoreError.Missing or StoreError.NotAFile)
        {
            return e.Error == StoreError.Missing ? TailVerdict.Missing(name) : TailVerdict.NoFile(name);
        }
    }

    /// <summary>Goes to the beginning of a segment; false where there is no such file, or none that can be read.</summary>
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

        Name = FileNames.Segment(sequence);
        Scanner = new RecordScanner(_file, header);
        return true;
    }

    /// <summary>Whether the file that is being read is still the segment it was: not dropped, and not used again.</summary>
    public bool IsStillThere() => Scanner is { } scanner && TryHeader(scanner.Segment.Sequence, out SegmentHeader now) && now.Sum == scanner.Segment.Sum;

    public void Dispose() => _file?.Dispose();

    private static bool IsReadable(HeaderState state) => state switch
    {
        HeaderState.Sound or HeaderState.OneCopy => true,
        HeaderState.TooNew => throw new JournalException(JournalFault.TooNew, $"A segment is of a later version than {SegmentHeader.Version}, the one that is known here."),
        _ => false,
    };
}
