using System;
using System.Buffers.Binary;
using Transport.Journal;

namespace Transport.Nats;

/// <summary>The head of a block, 64 bytes (docs/reference/block-format.md).</summary>
/// <param name="Journal">The journal's id.</param>
/// <param name="Previous">The position of the packet before the first one, as the journal has it; 0 if there is none.</param>
/// <param name="First">The first packet's position.</param>
/// <param name="Last">The last packet's position.</param>
/// <param name="Count">How many packets; 0: none, the journal has dropped those from First to Last.</param>
/// <param name="ContentBytes">The bytes of the content before it was compressed or cut into parts.</param>
/// <param name="Part">Which part this is, from 0.</param>
/// <param name="Parts">How many parts there are; 1: the block is whole.</param>
/// <param name="IsCompressed">The content, all parts together, is one stream of brotli.</param>
internal readonly record struct BlockHeader(
    Guid Journal, long Previous, long First, long Last, int Count, int ContentBytes, int Part, int Parts, bool IsCompressed)
{
    /// <summary>The bytes of a header.</summary>
    public const int Size = 64;

    private const uint Magic = 0x4B4C_4254;   // "TBLK"
    private const ushort Version = 1;
    private const int CheckedBytes = 60;   // what of the header the sum covers
    private const long MostPosition = 1L << 62;

    /// <summary>Gets a value indicating whether the block says that packets are gone, and has none.</summary>
    public bool IsGap => Count == 0;

    /// <summary>Writes the header of a block whose content stands behind it.</summary>
    /// <param name="block">The header's 64 bytes and the content.</param>
    public void Write(Span<byte> block)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(block, Magic);
        BinaryPrimitives.WriteUInt16LittleEndian(block[4..], Version);
        block[6] = IsCompressed ? (byte)1 : (byte)0;
        block[7] = 0;
        Journal.TryWriteBytes(block[8..], bigEndian: true, out _);
        BinaryPrimitives.WriteInt64LittleEndian(block[24..], Previous);
        BinaryPrimitives.WriteInt64LittleEndian(block[32..], First);
        BinaryPrimitives.WriteInt64LittleEndian(block[40..], Last);
        BinaryPrimitives.WriteInt32LittleEndian(block[48..], Count);
        BinaryPrimitives.WriteInt32LittleEndian(block[52..], ContentBytes);
        BinaryPrimitives.WriteUInt16LittleEndian(block[56..], (ushort)Part);
        BinaryPrimitives.WriteUInt16LittleEndian(block[58..], (ushort)Parts);
        BinaryPrimitives.WriteUInt32LittleEndian(block[CheckedBytes..], SumOf(block));
    }

    /// <summary>Reads the header of a block, and checks its sum.</summary>
    /// <param name="block">The header and the content.</param>
    /// <param name="header">The header, if there is one.</param>
    /// <returns>Null if the block can be used; otherwise what is wrong with it, in words that follow the block's name.</returns>
    public static string? Read(ReadOnlySpan<byte> block, out BlockHeader header)
    {
        header = default;
        if (block.Length < Size || BinaryPrimitives.ReadUInt32LittleEndian(block) != Magic)
        {
            return $"is no block of a journal: it has {block.Length} bytes and does not begin with \"TBLK\"";
        }

        if (BinaryPrimitives.ReadUInt16LittleEndian(block[4..]) is var version and not Version)
        {
            return $"has format {version}, this program reads {Version}: use a newer one";
        }

        if (SumOf(block) != BinaryPrimitives.ReadUInt32LittleEndian(block[CheckedBytes..]))
        {
            return "is damaged: its bytes do not have the sum that it says";
        }

        header = new BlockHeader(
            new Guid(block.Slice(8, 16), bigEndian: true),
            BinaryPrimitives.ReadInt64LittleEndian(block[24..]),
            BinaryPrimitives.ReadInt64LittleEndian(block[32..]),
            BinaryPrimitives.ReadInt64LittleEndian(block[40..]),
            BinaryPrimitives.ReadInt32LittleEndian(block[48..]),
            BinaryPrimitives.ReadInt32LittleEndian(block[52..]),
            BinaryPrimitives.ReadUInt16LittleEndian(block[56..]),
            BinaryPrimitives.ReadUInt16LittleEndian(block[58..]),
            block[6] == 1);
        return block[6] > 1 ? $"is compressed by codec {block[6]}, this program knows 0 (none) and 1 (brotli): use a newer one"
            : header.IsPossible(block.Length - Size) ? null
            : $"says what cannot be: {header}";
    }

    private static uint SumOf(ReadOnlySpan<byte> block) => Crc32C.Of(Crc32C.Of(0, block[..CheckedBytes]), block[Size..]);

    private bool IsPossible(int bytes) =>
        Previous >= 0 && First > Previous && Last >= First && Last <= MostPosition
        && Count >= 0 && Count <= Last - First + 1 && Part < Parts
        && (Parts == 1 || Count == 1)
        && (IsGap ? bytes == 0 && ContentBytes == 0 : ContentBytes >= BlockRecord.HeadSize)
        && (IsGap || bytes > 0)
        && (IsCompressed || Parts > 1 || bytes == ContentBytes);
}
