using System;
using System.Buffers.Binary;
using System.IO;

namespace Unpack;

/// <summary>The directory at the end of a zip file (APPNOTE 4.3.12 to 4.3.16), walked before <see cref="System.IO.Compression.ZipArchive"/>
/// takes memory for each of its entries.</summary>
internal static class ZipDirectory
{
    private const uint End = 0x06054b50, Locator64 = 0x07064b50, Header = 0x02014b50;
    private const int EndSize = 22, LocatorSize = 20, End64Size = 56, HeaderSize = 46;

    /// <summary>Whether a file ends as zip files do.</summary>
    public static bool IsThere(FileStream file) => Find(file) >= 0;

    /// <exception cref="ArchiveException">It is not there, or has more entries than the limits allow.</exception>
    public static void Check(FileStream file, ArchiveLimits limits)
    {
        long end = Find(file);
        if (end < 0)
        {
            throw new ArchiveException(
                entry: null, "its directory's end is not at the end of the file: it is cut off, or something is behind it");
        }

        Span<byte> record = stackalloc byte[End64Size];
        ReadAt(file, end, record[..EndSize]);
        long start = U32(record, 16);
        if (start == uint.MaxValue && end >= LocatorSize)
        {
            ReadAt(file, end - LocatorSize, record[..LocatorSize]);
            if (U32(record, 0) == Locator64 && BinaryPrimitives.ReadInt64LittleEndian(record[8..]) is >= 0 and var at
                && at <= file.Length - End64Size)
            {
                ReadAt(file, at, record);
                start = BinaryPrimitives.ReadInt64LittleEndian(record[48..]);
            }
        }

        // A name and its header have at most 3 x 64 KiB more; what is wrong with the directory itself, ZipArchive says.
        for (int entries = 0; start >= 0 && start <= end - HeaderSize; entries++)
        {
            ReadAt(file, start, record[..HeaderSize]);
            if (U32(record, 0) != Header)
            {
                return;
            }

            if (entries == limits.Entries)
            {
                throw new ArchiveException(
                    entry: null, FormattableString.Invariant($"there are more than {limits.Entries} entries (--limit-entries)"));
            }

            start += HeaderSize + U16(record, 28) + U16(record, 30) + U16(record, 32);
        }
    }

    private static long Find(FileStream file)
    {
        var tail = new byte[(int)Math.Min(file.Length, EndSize + ushort.MaxValue)];
        ReadAt(file, file.Length - tail.Length, tail);
        for (int at = tail.Length - EndSize; at >= 0; at--)
        {
            if (U32(tail, at) == End && at + EndSize + U16(tail, at + 20) == tail.Length)
            {
                return file.Length - tail.Length + at;
            }
        }

        return -1;
    }

    private static void ReadAt(FileStream file, long at, Span<byte> buffer)
    {
        file.Position = at;
        file.ReadExactly(buffer);
    }

    private static ushort U16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);

    private static uint U32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);
}
