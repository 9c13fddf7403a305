namespace Transport.Journal;

/// <summary>
/// The walk over one segment's records, to the one that the next segment follows, and what its end means. For reader, scan and verify.
/// </summary>
/// <param name="name">The file's name.</param>
/// <param name="scanner">Goes from record to record.</param>
internal sealed class SegmentWalk(string name, RecordScanner scanner)
{
    private long _joinAt = long.MaxValue;
    private uint _joinSum;

    public string Name => name;

    public RecordScanner Scanner => scanner;

    /// <summary>Gets the header of the segment after this one; null if there is none that fits.</summary>
    public SegmentHeader? Successor { get; private set; }

    /// <summary>Gets a value indicating whether the last record is Close.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Gets a value indicating whether the next segment follows the last record.</summary>
    public bool IsJoined => scanner.Position == _joinAt && scanner.Chain == _joinSum;

    /// <summary>Gets a value indicating whether the next segment follows the last record, or one before it.</summary>
    /// <remarks>A walk that goes on behind damage may get past that record.</remarks>
    public bool IsPassed => scanner.Position >= _joinAt && (scanner.Position > _joinAt || scanner.Chain == _joinSum);

    /// <summary>Reports which segment follows.</summary>
    public void Join(SegmentHeader? successor)
    {
        Successor = successor;
        (_joinAt, _joinSum) = successor is { } next ? (next.FirstPosition - 1, next.Previous) : (long.MaxValue, 0);
    }

    /// <summary>Goes to the next record.</summary>
    /// <returns>Whether there is one that is valid.</returns>
    public bool TryNext()
    {
        if (!scanner.Next())
        {
            return false;
        }

        IsClosed = scanner.Kind == RecordKind.Close;
        return true;
    }

    /// <summary>Goes over packets that follow one another, not past the one that the next segment follows.</summary>
    /// <returns>How many; 0 says nothing of what comes next.</returns>
    public int NextPackets()
    {
        int count = scanner.NextPackets(_joinAt);
        IsClosed &= count == 0;
        return count;
    }

    /// <summary>Judges the end of the valid records.</summary>
    /// <param name="tail">What stands behind them; not needed if another segment follows.</param>
    /// <param name="synced">The highest position that anything calls synced.</param>
    /// <param name="isLast">Whether no other segment is there, readable or not.</param>
    /// <param name="whyNoSuccessor">What is wrong with the segment that follows, if there is no <see cref="Successor"/>.</param>
    /// <returns>The state, and what it is for a person; null if the journal was closed.</returns>
    public (JournalCondition Condition, string? Message) Judge(TailSearch? tail, long synced, bool isLast, string? whyNoSuccessor) =>
        Successor is null && isLast
            ? TailVerdict.Of(name, scanner, tail!, synced, IsClosed)
            : (JournalCondition.Damaged, TailVerdict.Broken(name, scanner, Successor, whyNoSuccessor));
}
