using System;

namespace Transport.Journal;

/// <summary>What a segment's file says at its beginning, and whether there is such a file. Reader, scan and verify read it here.</summary>
/// <param name="Name">The file's name.</param>
/// <param name="Sequence">The segment's number, as in the name.</param>
/// <param name="State">Which of the header's copies are valid.</param>
/// <param name="Header">The header, if it can be read.</param>
/// <param name="FileLength">The file's length.</param>
/// <param name="Failure">Why there is no such file (Missing, NotAFile); null if there is one.</param>
internal sealed record SegmentHead(
    string Name, long Sequence, HeaderState State, SegmentHeader Header, long FileLength, StoreException? Failure)
{
    /// <summary>Gets a value indicating whether the header can be read, whatever it says.</summary>
    public bool IsReadable => Failure is null && State is HeaderState.Valid or HeaderState.OneCopy;

    /// <summary>Gets a value indicating whether the header is one of this segment.</summary>
    public bool IsSegment => IsReadable && Header.Sequence == Sequence;

    /// <summary>Reads it.</summary>
    /// <exception cref="JournalException"><see cref="JournalFault.TooNew"/>.</exception>
    /// <exception cref="StoreException">The system, but for a file that is missing or is none.</exception>
    public static SegmentHead Read(IJournalStore store, long sequence, string? name = null)
    {
        name ??= FileNames.Segment(sequence);
        try
        {
            byte[] bytes = new byte[SegmentHeader.Size];
            using IJournalFile file = store.Open(name, writable: false);
            HeaderState state = SegmentHeader.Read(bytes.AsSpan(0, file.ReadAll(0, bytes)), out SegmentHeader header);
            return state != HeaderState.TooNew ? new SegmentHead(name, sequence, state, header, file.Length, null)
                : throw new JournalException(
                    JournalFault.TooNew,
                    $"\"{name}\" in \"{store.Path}\" is of a later version than {SegmentHeader.Version}, the one that is known here.");
        }
        catch (StoreException e) when (e.Error is StoreError.Missing or StoreError.NotAFile)
        {
            return new SegmentHead(name, sequence, HeaderState.Unreadable, default, 0, e);
        }
    }

    /// <summary>Says, for a person, why this is no segment of a journal; null if it is one.</summary>
    /// <param name="journal">The journal's id; null if it is not known.</param>
    public string? WhyNot(Guid? journal) =>
        Failure is { } failure ? failure.Error == StoreError.Missing ? TailVerdict.Missing(Name) : TailVerdict.NoFile(Name)
        : !IsReadable ? TailVerdict.NoHeader(Name)
        : Header.Sequence != Sequence || (journal is { } own && Header.Journal != own) ? TailVerdict.Foreign(Name, Header)
        : null;
}
