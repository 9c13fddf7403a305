using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Transport.Journal;

/// <summary>The 40 bytes in front of each record's node and body (docs/reference/journal-format.md, "Record").</summary>
internal readonly struct RecordHeader
{
    public const int Size = 40;
    public const int Alignment = 8;
    public const int SummedFrom = 4;
    public const int MaxNode = JournalNode.MaxLength;

    private const uint MostBody = int.MaxValue - 4096;
    private const int LengthAt = 4;
    private const int PositionAt = 8;
    private const int EpochAt = 16;
    private const int PreviousAt = 20;
    private const int BehindAt = 24;
    private const int TypeAt = 28;
    private const int NodeBytesAt = 30;
    private const int KindAt = 31;
    private const int TimeAt = 32;

    private RecordHeader(ReadOnlySpan<byte> at)
    {
        Sum = BinaryPrimitives.ReadUInt32LittleEndian(at);
        Length = BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(LengthAt));
        Position = BinaryPrimitives.ReadInt64LittleEndian(at.Slice(PositionAt));
        Epoch = BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(EpochAt));
        Previous = BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(PreviousAt));
        Behind = BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(BehindAt));
        Type = BinaryPrimitives.ReadUInt16LittleEndian(at.Slice(TypeAt));
        NodeBytes = at[NodeBytesAt];
        Kind = (RecordKind)at[KindAt];
        Time = BinaryPrimitives.ReadInt64LittleEndian(at.Slice(TimeAt));
    }

    public uint Sum { get; }

    public uint Length { get; }

    public long Position { get; }

    public uint Epoch { get; }

    public uint Previous { get; }

    public uint Behind { get; }

    public ushort Type { get; }

    public byte NodeBytes { get; }

    public RecordKind Kind { get; }

    public long Time { get; }

    /// <summary>Gets the bytes of the whole record.</summary>
    public long Whole => WholeSize(NodeBytes, Length);

    /// <summary>Gets the highest position known to be synced when it was written; 0 if it says nothing of use.</summary>
    public long Synced => Behind == uint.MaxValue ? 0 : Math.Max(0, Position - Behind);

    /// <summary>Gets a value indicating whether its numbers are possible at all: cheap, and before the sum.</summary>
    public bool IsPossible => Kind is >= RecordKind.Packet and <= RecordKind.Gap && NodeBytes <= MaxNode && Length <= MostBody
        && Position >= 0 && Epoch > 0;

    public static RecordHeader Read(ReadOnlySpan<byte> at) => new(at);

    /// <summary>Reads what a record is and how long; None if that is not possible. At least <see cref="Size"/> bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static RecordKind KindOf(ReadOnlySpan<byte> at, out int node, out uint body)
    {
        node = at[NodeBytesAt];
        body = BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(LengthAt));
        int kind = at[KindAt];
        return kind is >= (int)RecordKind.Packet and <= (int)RecordKind.Gap && node <= MaxNode && body <= MostBody ? (RecordKind)kind
            : RecordKind.None;
    }

    public static uint SumOf(ReadOnlySpan<byte> at) => BinaryPrimitives.ReadUInt32LittleEndian(at);

    public static long PositionOf(ReadOnlySpan<byte> at) => BinaryPrimitives.ReadInt64LittleEndian(at.Slice(PositionAt));

    public static uint EpochOf(ReadOnlySpan<byte> at) => BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(EpochAt));

    public static uint PreviousOf(ReadOnlySpan<byte> at) => BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(PreviousAt));

    public static uint BehindOf(ReadOnlySpan<byte> at) => BinaryPrimitives.ReadUInt32LittleEndian(at.Slice(BehindAt));

    public static long TimeOf(ReadOnlySpan<byte> at) => BinaryPrimitives.ReadInt64LittleEndian(at.Slice(TimeAt));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long WholeSize(int node, long body) => (Size + node + body + (Alignment - 1)) & ~(long)(Alignment - 1);

    /// <summary>Writes what is known when a record is appended; <see cref="Finish"/> adds the rest.</summary>
    public static void Begin(Span<byte> to, RecordKind kind, long position, uint epoch, ushort type, int node, int length, long time)
    {
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(TimeAt), time);
        to[KindAt] = (byte)kind;
        to[NodeBytesAt] = (byte)node;
        BinaryPrimitives.WriteUInt16LittleEndian(to.Slice(TypeAt), type);
        BinaryPrimitives.WriteUInt32LittleEndian(to.Slice(EpochAt), epoch);
        BinaryPrimitives.WriteInt64LittleEndian(to.Slice(PositionAt), position);
        BinaryPrimitives.WriteInt32LittleEndian(to.Slice(LengthAt), length);
    }

    /// <summary>
    /// Writes what is known only when the record is written: its place in the chain, what is synced, and the sum over all of it.
    /// </summary>
    /// <returns>The sum: the next record's previous.</returns>
    public static uint Finish(Span<byte> record, uint previous, long synced)
    {
        long behind = BinaryPrimitives.ReadInt64LittleEndian(record.Slice(PositionAt)) - synced;
        BinaryPrimitives.WriteUInt32LittleEndian(record.Slice(PreviousAt), previous);
        BinaryPrimitives.WriteUInt32LittleEndian(record.Slice(BehindAt), (uint)Math.Min(Math.Max(behind, 0), uint.MaxValue));
        uint sum = Crc32C.Of(record.Slice(SummedFrom));
        ByteMoves.Note("2 record: summed", record.Length, 0);
        BinaryPrimitives.WriteUInt32LittleEndian(record, sum);
        return sum;
    }

    /// <summary>Until a record is finished, the place of <see cref="Behind"/> holds what its writer needs to know.</summary>
    public static void Note(Span<byte> record, AppendNote note) =>
        BinaryPrimitives.WriteUInt32LittleEndian(record.Slice(BehindAt), (uint)note);

    public static AppendNote NoteOf(ReadOnlySpan<byte> record) =>
        (AppendNote)BinaryPrimitives.ReadUInt32LittleEndian(record.Slice(BehindAt));

    public static bool IsSumRight(ReadOnlySpan<byte> record) =>
        Crc32C.Of(record.Slice(SummedFrom)) == BinaryPrimitives.ReadUInt32LittleEndian(record);
}

/// <summary>What is noted in a record that waits to be written.</summary>
[Flags]
internal enum AppendNote : uint
{
    None = 0,

    /// <summary>The last record of an append: what <see cref="JournalSync.Always"/> syncs by itself.</summary>
    Last = 1,

    /// <summary>It was refused meanwhile: only a <see cref="RecordKind.Gap"/> is written.</summary>
    Refused = 2,
}
