using System;
using System.Buffers.Binary;

namespace Transport.Journal;

/// <summary>What stands at a segment's head (docs/reference/journal-format.md, "Segment").</summary>
internal readonly record struct SegmentHeader
{
    /// <summary>The bytes before the first record.</summary>
    public const int Size = 4096;

    /// <summary>Where the second copy stands: in another sector.</summary>
    public const int SecondAt = 2048;

    public const ushort Version = 1;

    /// <summary>Above all that a journal can have: a segment has 1 GiB, or is a little longer for a packet of that length.</summary>
    public const long MostBytes = 1L << 31;

    /// <summary>Far above what the largest options come to (46 million).</summary>
    public const long MostReach = 1L << 32;

    /// <summary>
    /// At a billion packets a second reached in 146 years. What a file claims beyond it is damage: positions must rise from there.
    /// </summary>
    public const long MostPosition = 1L << 62;

    private const int CopySize = 128;
    private const int SumAt = 124;
    private const int IdBytes = 16;

    /// <summary>"TRJNL", CR, LF, ^Z, read as a little-endian number.</summary>
    private const ulong Magic = 0x1A0A0D4C4E4A5254;

    public Guid Journal { get; init; }

    public long Sequence { get; init; }

    public long Length { get; init; }

    public long FirstPosition { get; init; }

    public uint Epoch { get; init; }

    public uint Previous { get; init; }

    public long Time { get; init; }

    public long Reach { get; init; }

    public SegmentFlags Flags { get; init; }

    public JournalSync Sync { get; init; }

    /// <summary>Gets the header's stored sum: the first record's previous.</summary>
    public uint Sum { get; init; }

    /// <summary>Returns the header of the segment behind this one, but for length and sum.</summary>
    /// <param name="last">The last position before it.</param>
    /// <param name="epoch">The opening that begins it.</param>
    /// <param name="chain">The sum of the last record before it.</param>
    /// <param name="time">When it is begun.</param>
    /// <param name="sync">The policy.</param>
    /// <param name="flags">How it is written.</param>
    public SegmentHeader Following(long last, uint epoch, uint chain, DateTimeOffset time, JournalSync sync, SegmentFlags flags) => this with
    {
        Sequence = Sequence + 1,
        FirstPosition = last + 1,
        Epoch = epoch,
        Previous = chain,
        Time = RecordTime.Of(time),
        Sync = sync,
        Flags = flags,
    };

    /// <summary>Writes both copies and the zeros around them; returns the header with its sum.</summary>
    public SegmentHeader Write(Span<byte> to)
    {
        to.Slice(0, Size).Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(to, Magic);
        BinaryPrimitives.WriteUInt16LittleEndian(to.Slice(8), Version);
        BinaryPrimitives.WriteUInt16LittleEndian(to.Slice(10), Size);
        to[12] = (byte)Flags;
        to[13] = (byte)Sync;
        Journal.ToByteArray().CopyTo(to.Slice(16));
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(32), Sequence);
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(40), Length);
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(48), FirstPosition);
        BinaryPrimitives.WriteUInt32LittleEndian(to.Slice(56), Epoch);
        BinaryPrimitives.WriteUInt32LittleEndian(to.Slice(60), Previous);
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(64), Time);
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(72), Reach);
        uint sum = Crc32C.Of(to.Slice(0, SumAt));
        BinaryPrimitives.WriteUInt32LittleEndian(to.Slice(SumAt), sum);
        to.Slice(0, CopySize).CopyTo(to.Slice(SecondAt));
        return this with { Sum = sum };
    }

    /// <summary>Reads the header from a file's first bytes, whichever copy is valid.</summary>
    /// <param name="bytes">Up to <see cref="Size"/> bytes.</param>
    /// <param name="header">The header, if one copy is valid.</param>
    /// <returns>Its state.</returns>
    public static HeaderState Read(ReadOnlySpan<byte> bytes, out SegmentHeader header)
    {
        HeaderState first = ReadCopy(bytes, out header);
        HeaderState second = bytes.Length > SecondAt ? ReadCopy(bytes.Slice(SecondAt), out SegmentHeader other) : Nothing(out other);
        if (first == HeaderState.Valid)
        {
            return second == HeaderState.Valid && other == header ? HeaderState.Valid : HeaderState.OneCopy;
        }

        if (second == HeaderState.Valid)
        {
            header = other;
            return HeaderState.OneCopy;
        }

        return first == HeaderState.TooNew || second == HeaderState.TooNew ? HeaderState.TooNew : HeaderState.Unreadable;
    }

    private static HeaderState Nothing(out SegmentHeader header)
    {
        header = default;
        return HeaderState.Unreadable;
    }

    private static HeaderState ReadCopy(ReadOnlySpan<byte> at, out SegmentHeader header)
    {
        header = default;
        if (at.Length < CopySize || BinaryPrimitives.ReadUInt64LittleEndian(at) != Magic)
        {
            return HeaderState.Unreadable;
        }

        uint sum = BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(SumAt));
        if (sum != Crc32C.Of(at.Slice(0, SumAt)))
        {
            return HeaderState.Unreadable;
        }

        if (BinaryPrimitives.ReadUInt16LittleEndian(at.Slice(8)) != Version
            || BinaryPrimitives.ReadUInt16LittleEndian(at.Slice(10)) != Size)
        {
            return HeaderState.TooNew;
        }

        header = new SegmentHeader
        {
            Flags = (SegmentFlags)at[12],
            Sync = (JournalSync)at[13],
            Journal = new Guid(at.Slice(16, IdBytes).ToArray()),
            Sequence = BinaryPrimitives.ReadInt64LittleEndian(at.Slice(32)),
            Length = BinaryPrimitives.ReadInt64LittleEndian(at.Slice(40)),
            FirstPosition = BinaryPrimitives.ReadInt64LittleEndian(at.Slice(48)),
            Epoch = BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(56)),
            Previous = BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(60)),
            Time = BinaryPrimitives.ReadInt64LittleEndian(at.Slice(64)),
            Reach = BinaryPrimitives.ReadInt64LittleEndian(at.Slice(72)),
            Sum = sum,
        };
        bool possible = header is { Sequence: > 0 and <= MostPosition, FirstPosition: > 0 and <= MostPosition, Epoch: > 0
            and < uint.MaxValue, Reach: >= 0 and <= MostReach, Length: >= Size and <= MostBytes };
        return possible ? HeaderState.Valid : HeaderState.Unreadable;
    }
}

/// <summary>How a segment was begun.</summary>
[Flags]
internal enum SegmentFlags : byte
{
    None = 0,

    /// <summary>The file held older records.</summary>
    Recycled = 1,

    /// <summary>Each commit ends at a multiple of 4 KiB.</summary>
    Blocks = 2,
}

/// <summary>Whether a header is valid.</summary>
internal enum HeaderState
{
    Valid,

    /// <summary>One of its copies is not.</summary>
    OneCopy,

    /// <summary>Written by a later version.</summary>
    TooNew,

    Unreadable,
}
