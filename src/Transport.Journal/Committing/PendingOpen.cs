namespace Transport.Journal;

/// <summary>The Open record of an opening for which the disk had no space: it comes with the next segment.</summary>
/// <param name="record">The record, begun.</param>
/// <param name="last">The position of the last record before it.</param>
/// <param name="isFirst">Whether the journal has no segment yet, and so no id that anybody could know.</param>
internal sealed class PendingOpen(byte[] record, long last, bool isFirst)
{
    /// <summary>Gets the position behind which this opening's positions come.</summary>
    public long Base { get; } = RecordHeader.PositionOf(record);

    /// <summary>Gets the position of the last record in the files.</summary>
    public long Last => last;

    /// <summary>Gets its length.</summary>
    public int Bytes => record.Length;

    /// <summary>Gets its sum, once it is written.</summary>
    public uint Sum => RecordHeader.SumOf(record);

    /// <summary>Gets a value indicating whether the next opening of the journal may give out the same positions: the files do not show that
    /// this one exists.</summary>
    public bool MayRepeatPositions => !isFirst;

    /// <summary>Writes it behind the header of a segment.</summary>
    /// <exception cref="StoreException">It could not be written.</exception>
    public void Write(IJournalFile file, SegmentHeader header)
    {
        RecordHeader.Finish(record, header.Sum, last);
        SegmentDirectory.Check(file.WriteAll(SegmentHeader.Size, record), FileNames.Segment(header.Sequence), "written");
    }
}
