using System;
using Transport.Journal.Format;
using Transport.Journal.Storing;

namespace Transport.Journal.Reading;

/// <summary>Goes from record to record through one segment; takes nothing for one that is not the sound next record (docs/journal-format.md).</summary>
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

    /// <summary>Gets where the next record is due: behind the last sound one.</summary>
    public long Offset { get; private set; }

    /// <summary>Gets where the last record begins.</summary>
    public long RecordAt { get; private set; }

    /// <summary>Gets what the last record is.</summary>
    public RecordKind Kind { get; private set; }

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

    /// <summary>Gets the last record's node name.</summary>
    public ReadOnlySpan<byte> Node => _window.Span(RecordAt + RecordHeader.Size, _nodeBytes);

    /// <summary>Gets the last record's body; valid until the next one is asked for.</summary>
    public ReadOnlyMemory<byte> Body => _window.Memory.AsMemory(_window.At(RecordAt + RecordHeader.Size + _nodeBytes), _bodyBytes);

    /// <summary>Gets the last record, all of it.</summary>
    public ReadOnlySpan<byte> Record => _window.Span(RecordAt, (int)(Offset - RecordAt));

    /// <summary>Goes to the next record; false where there is none that is sound.</summary>
    public bool Next()
    {
        // All that is known of a record is read where it lies, once: a scan is as fast as its sums.
        ReadOnlySpan<byte> at = _window.From(Offset);
        if (at.Length < RecordHeader.Size && !TryRead(RecordHeader.Size, out at))
        {
            return false;
        }

        RecordKind kind = RecordHeader.KindOf(at, out int node, out uint body);
        long whole = RecordHeader.WholeSize(node, body);
        if (kind == RecordKind.None || Offset + whole > Limit || (at.Length < whole && !TryRead((int)whole, out at)) || RecordHeader.PreviousOf(at) != Chain)
        {
            return false;
        }

        long position = RecordHeader.PositionOf(at);
        uint epoch = RecordHeader.EpochOf(at), sum = RecordHeader.SumOf(at);
        if (!Follows(kind, position, epoch) || Crc32C.Of(at.Slice(RecordHeader.SummedFrom, (int)whole - RecordHeader.SummedFrom)) != sum)
        {
            return false;
        }

        uint behind = RecordHeader.BehindOf(at);
        if (behind != uint.MaxValue && position - behind > Synced)
        {
            Synced = position - behind;
        }

        (RecordAt, Kind, Chain, Epoch, Position, _nodeBytes, _bodyBytes) = (Offset, kind, sum, epoch, position, node, (int)body);
        Offset += whole;
        return true;
    }

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

    /// <summary>Goes on behind a sound record that does not follow the last one; the caller knows why that is right.</summary>
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
        _window.Has(offset, (int)header.Whole) && RecordHeader.IsSumRight(_window.Span(offset, (int)header.Whole));

    private bool TryRead(int count, out ReadOnlySpan<byte> at)
    {
        bool isThere = Offset + count <= Limit && _window.Has(Offset, count);
        at = isThere ? _window.From(Offset) : default;
        return isThere;
    }

    private bool Follows(RecordKind kind, long position, uint epoch) => kind switch
    {
        RecordKind.Packet => position == Position + 1 && epoch == Epoch,
        RecordKind.Open => position >= Position && epoch >= Epoch,
        RecordKind.Gap => position > Position && epoch == Epoch,
        _ => position == Position && epoch == Epoch,
    };
}
