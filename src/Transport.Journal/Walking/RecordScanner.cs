using System;
using System.Runtime.CompilerServices;

namespace Transport.Journal;

/// <summary>
/// Goes from record to record through one segment; takes nothing for one that is not the valid next record
/// (docs/reference/journal-format.md).
/// </summary>
internal sealed class RecordScanner
{
    private readonly IJournalFile _file;
    private readonly FileWindow _window;
    private int _nodeBytes;
    private int _bodyBytes;

    public RecordScanner(IJournalFile file, in SegmentHeader segment, FileWindow? window = null)
    {
        _file = file;
        _window = window ?? new FileWindow(file, (int)Math.Min(FileWindow.DefaultSize, segment.Length));
        Segment = segment;
        Offset = SegmentHeader.Size;
        Chain = segment.Sum;
        Epoch = segment.Epoch;
        Position = segment.FirstPosition - 1;
        Synced = Position;
        Limit = Math.Min(segment.Length, file.Length);
    }

    public SegmentHeader Segment { get; }

    /// <summary>Gets where the next record is due: behind the last valid one.</summary>
    public long Offset { get; private set; }

    /// <summary>Gets where the last record begins.</summary>
    public long RecordAt { get; private set; }

    /// <summary>Gets what the last record is.</summary>
    public RecordKind Kind { get; private set; }

    /// <summary>
    /// Gets a value indicating whether the last record has a position of its own, so that a caller that calls the position synced calls the
    /// record synced.
    /// </summary>
    public bool IsCounted => Kind is RecordKind.Packet or RecordKind.Gap;

    /// <summary>Gets the last record's header; until the next one is asked for.</summary>
    public RecordHeader Header => RecordHeader.Read(_window.From(RecordAt));

    /// <summary>Gets the last record's time.</summary>
    public long Time => RecordHeader.TimeOf(_window.From(RecordAt));

    /// <summary>Gets the stored sum of the last record, or of the segment's header.</summary>
    public uint Chain { get; private set; }

    public uint Epoch { get; private set; }

    /// <summary>Gets the position that the last record states.</summary>
    public long Position { get; private set; }

    /// <summary>Gets the highest position that a record up to here, or the header, calls synced.</summary>
    public long Synced { get; private set; }

    /// <summary>Gets where records must end: at the segment's length, or where the file ends before that.</summary>
    public long Limit { get; private set; }

    /// <summary>Gets or sets what looks at the names of nodes that <see cref="NextPackets"/> passes; null: nothing does.</summary>
    public NodeNames? Names { get; set; }

    /// <summary>Gets the last record's node name.</summary>
    public ReadOnlySpan<byte> Node => _window.Span(RecordAt + RecordHeader.Size, _nodeBytes);

    /// <summary>Gets the last record's body; valid until the next one is asked for.</summary>
    public ReadOnlyMemory<byte> Body => _window.Memory.AsMemory(_window.At(RecordAt + RecordHeader.Size + _nodeBytes), _bodyBytes);

    /// <summary>Gets the last record, all of it.</summary>
    public ReadOnlySpan<byte> Record => _window.Span(RecordAt, (int)(Offset - RecordAt));

    /// <summary>Goes to the next record; false if there is none that is valid.</summary>
    [MethodImpl(HotPath.CompiledWhole)]
    public bool Next()
    {
        // All that is known of a record is read where it lies, once: a scan is as fast as its sums.
        ReadOnlySpan<byte> at = _window.From(Offset);
        if (at.Length < RecordHeader.Size)
        {
            at = ReadAnew(RecordHeader.Size);
            if (at.IsEmpty)
            {
                return false;
            }
        }

        ReadOnlySpan<byte> header = at.Slice(0, RecordHeader.Size);   // of a known length: what is read from it needs no check
        RecordKind kind = RecordHeader.KindOf(header, out int node, out uint body);
        long whole = RecordHeader.WholeSize(node, body);
        if (kind == RecordKind.None || Offset + whole > Limit)
        {
            return false;
        }

        if (at.Length < whole)
        {
            at = whole <= _window.Capacity || IsRightAt(header, kind, (int)whole) ? ReadAnew((int)whole) : default;
            if (at.IsEmpty)
            {
                return false;
            }

            header = at.Slice(0, RecordHeader.Size);
        }

        long position = RecordHeader.PositionOf(header);
        uint epoch = RecordHeader.EpochOf(header), sum = RecordHeader.SumOf(header);
        if (RecordHeader.PreviousOf(header) != Chain || !Follows(kind, position, epoch)
            || Crc32C.Of(at.Slice(RecordHeader.SummedFrom, (int)whole - RecordHeader.SummedFrom)) != sum)
        {
            return false;
        }

        uint behind = RecordHeader.BehindOf(header);
        if (behind != uint.MaxValue && position - behind > Synced)
        {
            Synced = position - behind;
        }

        RecordAt = Offset;
        Offset += whole;
        Kind = kind;
        Chain = sum;
        Epoch = epoch;
        Position = position;
        _nodeBytes = node;
        _bodyBytes = (int)body;
        return true;
    }

    /// <summary>
    /// Goes over the packets that follow one another in what was read, as <see cref="Next"/> for each of them would, and stops before
    /// anything else. Nothing is kept of a packet on the way but
    /// what the next one is checked with, so that the processor has the sums of several under way.
    /// </summary>
    /// <param name="last">A position to stop behind.</param>
    /// <returns>How many; 0 says nothing of what comes next.</returns>
    [MethodImpl(HotPath.CompiledWhole)]
    public int NextPackets(long last)
    {
        ReadOnlySpan<byte> window = _window.From(Offset);
        if (window.Length > Limit - Offset)
        {
            window = window.Slice(0, (int)Math.Max(0, Limit - Offset));
        }

        (uint chain, long position, long synced) = (Chain, Position, Synced);
        uint epoch = Epoch;
        ReadOnlySpan<byte> name = default;
        int at = 0, before = 0, count = 0;
        while (at <= window.Length - RecordHeader.Size && position != last)
        {
            ReadOnlySpan<byte> header = window.Slice(at, RecordHeader.Size);
            RecordKind kind = RecordHeader.KindOf(header, out int node, out uint body);
            long whole = RecordHeader.WholeSize(node, body);
            uint sum = RecordHeader.SumOf(header);
            if (kind != RecordKind.Packet || whole > window.Length - at || RecordHeader.PreviousOf(header) != chain
                || RecordHeader.PositionOf(header) != position + 1
                || RecordHeader.EpochOf(header) != epoch
                    || Crc32C.Of(window.Slice(at + RecordHeader.SummedFrom, (int)whole - RecordHeader.SummedFrom)) != sum)
            {
                break;
            }

            position++;
            uint behind = RecordHeader.BehindOf(header);
            if (behind != uint.MaxValue && position - behind > synced)
            {
                synced = position - behind;
            }

            // Packets of one node come in rows.
            if (Names is not null && !window.Slice(at + RecordHeader.Size, node).SequenceEqual(name))
            {
                name = window.Slice(at + RecordHeader.Size, node);
                Names.Look(name, position);
            }

            chain = sum;
            before = at;
            at += (int)whole;
            count++;
        }

        if (count > 0)
        {
            Kind = RecordHeader.KindOf(window.Slice(before), out _nodeBytes, out uint bytes);
            _bodyBytes = (int)bytes;
            RecordAt = Offset + before;
            Offset += at;
            (Chain, Position, Synced) = (chain, position, synced);
        }

        return count;
    }

    /// <summary>Lets go of the memory: what it knows of the last record without it, offsets and sums, stays.</summary>
    public void Release() => _window.Release();

    /// <summary>Looks at the file anew: it may have grown behind the last record.</summary>
    public void Refresh()
    {
        _window.Forget();
        Limit = Math.Min(Segment.Length, _file.Length);
    }

    /// <summary>Whether the next record, which was not there, was just being written and is there now; stays before it.</summary>
    public bool HasCome()
    {
        long before = Offset;
        Refresh();
        if (!Next())
        {
            return false;
        }

        JumpTo(before, Header);
        return true;
    }

    /// <summary>Goes on behind a valid record that does not follow the last one; the caller knows why that is right.</summary>
    public void JumpTo(long offset, in RecordHeader record)
    {
        Offset = offset;
        Chain = record.Previous;
        Epoch = record.Epoch;
        Position = record.Kind is RecordKind.Packet or RecordKind.Gap ? record.Position - 1 : record.Position;
    }

    /// <summary>Reads a possible header anywhere; its record lies within the segment.</summary>
    public bool TryHeader(long offset, out RecordHeader header)
    {
        header = default;
        if (offset + RecordHeader.Size > Limit || !_window.Has(offset, RecordHeader.Size))
        {
            return false;
        }

        header = RecordHeader.Read(_window.From(offset));
        return header.IsPossible && offset + header.Whole <= Limit;
    }

    /// <summary>Whether the sum of a possible record anywhere is right.</summary>
    public bool IsSumRight(long offset, in RecordHeader header) =>
        _window.IsSumRight(offset, (int)header.Whole);

    /// <summary>Reads so that so many bytes from the next record on are there; none if they are not.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReadOnlySpan<byte> ReadAnew(int count) => Offset + count <= Limit && _window.Has(Offset, count) ? _window.From(Offset)
        : default;

    /// <summary>Whether a record that has no capacity in memory is the next one; looked at before capacity is made for it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool IsRightAt(ReadOnlySpan<byte> header, RecordKind kind, int whole) =>
        RecordHeader.PreviousOf(header) == Chain && Follows(kind, RecordHeader.PositionOf(header), RecordHeader.EpochOf(header))
            && _window.IsSumRight(Offset, whole);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Follows(RecordKind kind, long position, uint epoch) =>
        kind == RecordKind.Packet ? position == Position + 1 && epoch == Epoch : FollowsOtherwise(kind, position, epoch);

    private bool FollowsOtherwise(RecordKind kind, long position, uint epoch) => kind switch
    {
        RecordKind.Open => position >= Position && epoch >= Epoch,
        RecordKind.Gap => position > Position && epoch == Epoch,
        _ => position == Position && epoch == Epoch,
    };
}
