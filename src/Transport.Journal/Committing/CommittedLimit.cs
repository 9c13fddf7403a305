namespace Transport.Journal;

/// <summary>
/// Up to where a reader that follows may show packets. Of this process's own journal: what it says. Of another's: what valid records call
/// synced, or every valid record if that is when the writer counts it as committed.
/// </summary>
internal sealed class CommittedLimit(AppendEngine? engine)
{
    private RecordScanner? _ahead;
    private long _known;

    /// <summary>
    /// Gets or sets a value indicating whether nobody writes any more: then all that is valid counts, as in the next opening.
    /// </summary>
    public bool IsWriterGone { get; set; }

    /// <summary>Whether the packet after the one at the cursor may be shown.</summary>
    public bool Allows(SegmentCursor at)
    {
        RecordScanner scanner = at.Scanner!;
        long next = scanner.Position + 1;
        if (engine is not null)
        {
            return next <= engine.Committed;
        }

        return IsWriterGone || scanner.Segment.Sync is JournalSync.EverySecond or JournalSync.None || next <= _known
            || LookAhead(at, scanner, next);
    }

    private bool LookAhead(SegmentCursor at, RecordScanner scanner, long next)
    {
        if (_ahead is null || _ahead.Segment.Sum != scanner.Segment.Sum)
        {
            _ahead = new RecordScanner(at.File, scanner.Segment);
        }

        _ahead.Refresh();
        while (_ahead.Synced < next && _ahead.Next())
        {
        }

        _known = _ahead.Synced > _known ? _ahead.Synced : _known;
        if (next > _known && at.TryHeader(scanner.Segment.Sequence + 1, out SegmentHeader successor)
            && successor.FirstPosition - 1 > _known)
        {
            _known = successor.FirstPosition - 1;
        }

        return next <= _known;
    }
}
