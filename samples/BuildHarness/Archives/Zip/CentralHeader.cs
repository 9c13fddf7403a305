using System;
using System.Buffers.Binary;
using static BuildHarness.Archives.Zip.LittleEndian;

namespace BuildHarness.Archives.Zip;

/// <summary>An entry as the central directory reports it (APPNOTE 4.3.12), 64-bit sizes applied.</summary>
internal sealed class CentralHeader
{
    public const uint Signature = 0x02014b50;
    private const int Fixed = 46;

    /// <summary>Gets how long the whole header is.</summary>
    public required int Length { get; init; }

    /// <summary>Gets the name's bytes as they are; see <see cref="ZipName"/>.</summary>
    public required byte[] Name { get; init; }

    public required byte[] Extra { get; init; }

    /// <summary>Gets the system that the attributes are of: 0 DOS, 3 Unix.</summary>
    public required int System { get; init; }

    public required ushort Flags { get; init; }

    public required ushort Method { get; init; }

    public required uint DosTime { get; init; }

    public required uint Crc { get; init; }

    public required long Compressed { get; init; }

    public required long Uncompressed { get; init; }

    public required uint Attributes { get; init; }

    /// <summary>Gets where the entry itself begins.</summary>
    public required long Place { get; init; }

    /// <summary>Reads the header at the file's position.</summary>
    /// <param name="file">The archive.</param>
    /// <param name="end">Where the directory ends.</param>
    /// <exception cref="ArchiveException">It is none, or damaged, or of several disks.</exception>
    public static CentralHeader Read(ArchiveFile file, long end)
    {
        int most = (int)Math.Min(end - file.Position, Fixed);
        ReadOnlySpan<byte> head = most < Fixed ? default : file.Peek(Fixed);
        if (head.Length < Fixed || U32(head, 0) != Signature)
        {
            throw new ArchiveException(
                entry: null, FormattableString.Invariant($"at byte {file.Position}, where its directory should have an entry, is none"));
        }

        int name = U16(head, 28), extra = U16(head, 30), length = Fixed + name + extra + U16(head, 32);
        ReadOnlySpan<byte> all = length > end - file.Position ? default : file.Peek(length);
        if (all.Length < length)
        {
            throw new ArchiveException(
                entry: null, FormattableString.Invariant($"the directory's entry at byte {file.Position} is cut off"));
        }

        long compressed = U32(all, 20), uncompressed = U32(all, 24), place = U32(all, 42);
        ushort disk = U16(all, 34);
        ReadOnlySpan<byte> extras = all.Slice(Fixed + name, extra);
        byte[] named = all.Slice(Fixed, name).ToArray();
        if (ZipExtra.Find(extras, ZipExtra.Zip64, out ReadOnlySpan<byte> large) is { } fault)
        {
            throw new ArchiveException(named, fault);
        }

        // In this order, and only those whose 32 bits do not do.
        bool whole = Widen(ref large, ref uncompressed) && Widen(ref large, ref compressed) && Widen(ref large, ref place);
        if (!whole)
        {
            throw new ArchiveException(named, "its 64-bit sizes are missing or make no sense");
        }

        bool otherDisk = disk == 0xffff ? large.Length != 4 || U32(large, 0) != 0 : disk != 0;
        if (otherDisk)
        {
            throw new ArchiveException(named, "it is on another disk");
        }

        return new CentralHeader
        {
            Length = length,
            Name = named,
            Extra = extras.ToArray(),
            System = all[5],
            Flags = U16(all, 8),
            Method = U16(all, 10),
            DosTime = U32(all, 12),
            Crc = U32(all, 16),
            Compressed = compressed,
            Uncompressed = uncompressed,
            Attributes = U32(all, 38),
            Place = place,
        };
    }

    private static bool Widen(ref ReadOnlySpan<byte> large, ref long value)
    {
        if (value != uint.MaxValue)
        {
            return true;
        }

        if (large.Length < 8)
        {
            return false;
        }

        value = BinaryPrimitives.ReadInt64LittleEndian(large);
        large = large[8..];
        return value >= 0;
    }
}
