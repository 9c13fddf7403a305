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
        Walk(file, U32(record, 16), end, limits);

        // If any field of the end says so, ZipArchive believes the 64-bit one, so that is walked whatever the fields say.
        if (end >= LocatorSize)
        {
            ReadAt(file, end - LocatorSize, record[..LocatorSize]);
            long at = BinaryPrimitives.ReadInt64LittleEndian(record[8..]);
            if (U32(record, 0) == Locator64 && at >= 0 && at <= file.Length - End64Size)
            {
                ReadAt(file, at, record);
                Walk(file, BinaryPrimitives.ReadInt64LittleEndian(record[48..]), end, limits);
            }
        }
    }

    /// <summary>Counts the entries from a place on; what else is wrong with a directory, ZipArchive says.</summary>
    private static void Walk(FileStream file, long start, long end, ArchiveLimits limits)
    {
        Span<byte> header = stackalloc byte[HeaderSize];
        for (int entries = 0; start >= 0 && start <= end - HeaderSize; entries++)
        {
            ReadAt(file, start, header);
            if (U32(header, 0) != Header)
            {
                return;
            }

            if (entries == limits.Entries)
            {
                throw new ArchiveException(
                    entry: null, FormattableString.Invariant($"there are more than {limits.Entries} entries (--limit-entries)"));
            }

            start += HeaderSize + U16(header, 28) + U16(header, 30) + U16(header, 32);
        }
    }

    /// <summary>The last end in the file, which is the one that ZipArchive takes.</summary>
    /// <returns>Where it begins; negative: there is none, or the file goes on behind it.</returns>
    private static long Find(FileStream file)
    {
        var tail = new byte[(int)Math.Min(file.Length, EndSize + ushort.MaxValue)];
        ReadAt(file, file.Length - tail.Length, tail);
        for (int at = tail.Length - EndSize; at >= 0; at--)
        {
            if (U32(tail, at) == End)
            {
                return at + EndSize + U16(tail, at + 20) == tail.Length ? file.Length - tail.Length + at : -1;
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
