using System;

namespace Transport.Journal;

/// <summary>A segment that is there.</summary>
internal sealed class SegmentEntry(string name, in SegmentHeader header)
{
    public string Name { get; } = name;

    public long Sequence { get; } = header.Sequence;

    public long FirstPosition { get; } = header.FirstPosition;

    public long Length { get; } = header.Length;

    /// <summary>Gets the sum of its header.</summary>
    public uint Sum { get; } = header.Sum;

    /// <summary>Gets a value indicating whether it says that what was before it was dropped, not taken away.</summary>
    public bool IsBehindDropped { get; private set; } = header.IsBehindDropped;

    /// <summary>Gets or sets the last position in it, once another one follows.</summary>
    public long LastPosition { get; set; }

    /// <summary>Gets or sets the time of its last packet, once another one follows.</summary>
    public long LastTime { get; set; }

    /// <summary>Gets or sets how many readers of this journal are in it: it is then not used again.</summary>
    public int Readers { get; set; }

    /// <summary>Whether it need not be kept.</summary>
    /// <param name="retention">What is to be kept.</param>
    /// <param name="now">The time, in ticks as <see cref="LastTime"/>.</param>
    /// <param name="total">The bytes of all segments there are.</param>
    public bool MayGo(JournalRetention retention, long now, long total)
    {
        if (retention.Watermark is { } mark)
        {
            if (LastPosition >= mark)
            {
                return false;
            }

            if (retention is { MaxBytes: null, MaxAge: null })
            {
                return true;
            }
        }

        return total > (retention.MaxBytes ?? long.MaxValue) || (retention.MaxAge is { } age && now - LastTime >= age.Ticks);
    }

    /// <summary>Has it say that every one before it is dropped, in place: this needs no space. Where it cannot, what is dropped may be taken
    /// for missing if nobody notes that it was acknowledged; to keep it instead would keep a full disk full.</summary>
    public void NoteDropped(IJournalStore store)
    {
        try
        {
            Span<byte> note = stackalloc byte[SegmentHeader.DroppedBytes];
            SegmentHeader.WriteDropped(note, Sum);
            using IJournalFile file = store.Open(Name, writable: true);
            IsBehindDropped = file.WriteAll(SegmentHeader.DroppedAt, note) == StoreError.None && file.SyncAll() == StoreError.None;
        }
        catch (StoreException)
        {
            // As above.
        }
    }
}
