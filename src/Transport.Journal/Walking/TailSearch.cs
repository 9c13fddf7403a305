using System;
using System.Buffers.Binary;

namespace Transport.Journal;

/// <summary>
/// What stands behind a segment's last valid record: nothing, older contents, or traces of this use of the file. For one search.
/// </summary>
internal sealed class TailSearch
{
    private const int ChunkBytes = 256 << 10;

    /// <summary>How many times the segment's length may be summed for headers that look possible and are not.</summary>
    private const int Patience = 16;

    private readonly RecordScanner _chain;
    private readonly RecordScanner _look;
    private readonly SegmentHeader _segment;
    private long _patience;

    private TailSearch(IJournalFile file, RecordScanner chain)
    {
        _chain = chain;
        _segment = chain.Segment;
        _look = new RecordScanner(file, _segment);
        _patience = Patience * _segment.Length;
        TraceEnd = chain.Offset;
    }

    /// <summary>Gets where traces of this use end; where the valid part ends, if there are none.</summary>
    public long TraceEnd { get; private set; }

    /// <summary>Gets the highest position that a valid record there calls synced; 0 without one.</summary>
    public long Synced { get; private set; }

    /// <summary>Gets the highest position of a valid record there; 0 without one.</summary>
    public long Position { get; private set; }

    /// <summary>Gets the highest epoch of a valid record there; 0 without one.</summary>
    public uint Epoch { get; private set; }

    /// <summary>
    /// Gets where a valid record of this use stands there, above the chain's position, with another one behind it that follows it; 0
    /// without one.
    /// </summary>
    public long ResumeAt { get; private set; }

    /// <summary>Looks through the rest of a segment.</summary>
    /// <param name="file">The file.</param>
    /// <param name="chain">The scanner, standing behind the last valid record.</param>
    public static TailSearch Behind(IJournalFile file, RecordScanner chain)
    {
        var search = new TailSearch(file, chain);
        search.LookAtNext(file);
        search.LookThrough(file);
        return search;
    }

    /// <summary>What stands where the next record is due may be one of this use that is not whole: two of its three ties fit.</summary>
    private void LookAtNext(IJournalFile file)
    {
        Span<byte> bytes = stackalloc byte[RecordHeader.Size];
        if (_chain.Offset + RecordHeader.Size > _look.Limit || file.ReadAll(_chain.Offset, bytes) < RecordHeader.Size)
        {
            return;
        }

        var header = RecordHeader.Read(bytes);
        bool place = header.Position == _chain.Position || header.Position == _chain.Position + 1;
        int ties = (place ? 1 : 0) + (header.Previous == _chain.Chain ? 1 : 0) + (header.Epoch == _chain.Epoch ? 1 : 0);
        if (ties >= 2)
        {
            long claimed = Math.Min(_look.Limit, _chain.Offset + (header.IsPossible ? header.Whole : RecordHeader.Size));
            TraceEnd = Math.Max(_chain.Offset + RecordHeader.Size, EndOfTraces(file, _chain.Offset + RecordHeader.Size, claimed));
        }
    }

    /// <summary>
    /// Where the zeros begin that a stretch ends with: what is only claimed was never written. A multiple of what records are aligned to,
    /// like its ends.
    /// </summary>
    private static long EndOfTraces(IJournalFile file, long from, long end)
    {
        byte[] chunk = new byte[(int)Math.Max(0, Math.Min(ChunkBytes, end - from))];
        while (end > from)
        {
            long at = Math.Max(from, end - ChunkBytes);
            int last = TailBytes.EndOfTraces(chunk.AsSpan(0, file.ReadAll(at, chunk.AsSpan(0, (int)(end - at)))));
            if (last > 0)
            {
                return Math.Min(end, at + last);
            }

            end = at;
        }

        return from;
    }

    private void LookThrough(IJournalFile file)
    {
        bool recycled = (_segment.Flags & SegmentFlags.Recycled) != 0;
        byte[] chunk = new byte[(int)Math.Max(0, Math.Min(ChunkBytes + RecordHeader.Size, _look.Limit - _chain.Offset))];
        for (long at = _chain.Offset; at < _look.Limit; at += ChunkBytes)
        {
            int count = file.ReadAll(at, chunk.AsSpan(0, (int)Math.Min(chunk.Length, _look.Limit - at)));
            ReadOnlySpan<byte> there = chunk.AsSpan(0, count);
            for (int i = Find(there, 0, recycled); i < count && i < ChunkBytes; i = Find(there, i + RecordHeader.Alignment, recycled))
            {
                if (!recycled)
                {
                    TraceEnd = Math.Max(TraceEnd, Math.Min(at + i + RecordHeader.Alignment, _look.Limit));
                }

                if (i + RecordHeader.Size <= count && TailBytes.IsHeader(there.Slice(i)))
                {
                    Judge(at + i, RecordHeader.Read(there.Slice(i)));
                }
            }

            if (count < ChunkBytes)
            {
                break;
            }
        }
    }

    private void Judge(long offset, in RecordHeader found)
    {
        bool ofThisUse = found.IsPossible && found.Epoch >= _segment.Epoch
            && found.Position >= _segment.FirstPosition - (found.Kind == RecordKind.Packet ? 0 : 1);
        if (!ofThisUse || offset + found.Whole > _look.Limit || _patience < 0)
        {
            return;
        }

        if (!_look.IsSumRight(offset, found))
        {
            _patience -= found.Whole;
            return;
        }

        TraceEnd = Math.Max(TraceEnd, offset + found.Whole);
        Synced = Math.Max(Synced, found.Synced);
        Position = Math.Max(Position, found.Position);
        Epoch = Math.Max(Epoch, found.Epoch);
        if (ResumeAt == 0 && found.Position > _chain.Position && _look.TryHeader(offset + found.Whole, out RecordHeader after)
            && after.Previous == found.Sum && _look.IsSumRight(offset + found.Whole, after))
        {
            ResumeAt = offset;
        }
    }

    /// <summary>Finds where something may stand that counts: in a recycled file a header, else whatever is not zero.</summary>
    private static int Find(ReadOnlySpan<byte> chunk, int from, bool recycled) => recycled ? TailBytes.NextHeader(chunk, from)
        : TailBytes.NextTrace(chunk, from);
}
