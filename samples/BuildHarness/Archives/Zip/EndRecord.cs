using System;
using static BuildHarness.Archives.Zip.LittleEndian;

namespace BuildHarness.Archives.Zip;

/// <summary>The end of central directory record, with its zip64 form (APPNOTE 4.3.14 to 4.3.16): where the directory lies, and that it ends
/// the file.</summary>
/// <param name="Entries">How many it has.</param>
/// <param name="DirectoryStart">Where it begins.</param>
/// <param name="DirectoryEnd">Where it ends.</param>
internal readonly record struct EndRecord(long Entries, long DirectoryStart, long DirectoryEnd)
{
    public const uint Signature = 0x06054b50;
    private const uint Locator64 = 0x07064b50, Record64 = 0x06064b50;
    private const int Size = 22, LocatorSize = 20, Record64Size = 56;

    /// <summary>Whether a file ends as zip files do.</summary>
    public static bool IsThere(ArchiveFile file) => Find(file, out _) >= 0;

    /// <exception cref="ArchiveException">It is missing, or says what is not so.</exception>
    public static EndRecord Read(ArchiveFile file)
    {
        long start = Find(file, out bool several);
        if (start < 0)
        {
            throw Refuse("its directory's end is not at the end of the file: it is cut off, or something is behind it");
        }

        if (several)
        {
            throw Refuse("it has several ends of its directory, one in the comment of another");
        }

        file.Position = start;
        ReadOnlySpan<byte> record = file.Peek(Size);
        ushort disk = U16(record, 4), directoryDisk = U16(record, 6), onDisk = U16(record, 8), entries = U16(record, 10);
        uint size = U32(record, 12), offset = U32(record, 16);
        EndRecord found = new(entries, offset, offset + (long)size);
        bool needs64 = disk == 0xffff || directoryDisk == 0xffff || onDisk == 0xffff || entries == 0xffff || size == uint.MaxValue
            || offset == uint.MaxValue;
        long end = start;
        if (Has64(file, start))
        {
            found = Read64(file, start, out end);
            bool agrees = Agrees(disk, 0, 0xffff) && Agrees(directoryDisk, 0, 0xffff) && Agrees(onDisk, found.Entries, 0xffff)
                && Agrees(entries, found.Entries, 0xffff)
                && Agrees(size, found.DirectoryEnd - found.DirectoryStart, uint.MaxValue)
                    && Agrees(offset, found.DirectoryStart, uint.MaxValue);
            if (!agrees)
            {
                throw Refuse("the two ends of its directory, 32 and 64 bits, disagree");
            }
        }
        else if (needs64 && (disk == 0xffff || found.DirectoryEnd != start))
        {
            throw Refuse("the 64-bit end of its directory is missing");
        }
        else if (disk != 0 || directoryDisk != 0 || onDisk != entries)
        {
            throw Refuse("it is a part of an archive of several disks");
        }

        return found.DirectoryEnd == end ? found
            : throw Refuse(found.DirectoryEnd < end ? "something is between its directory and the directory's end"
                : "its directory does not end where its end says");
    }

    private static long Find(ArchiveFile file, out bool several)
    {
        several = false;
        long found = -1;
        int length = (int)Math.Min(file.Length, Size + ushort.MaxValue);
        file.Position = file.Length - length;
        ReadOnlySpan<byte> tail = file.Peek(length);
        for (int at = tail.Length - Size; at >= 0; at--)
        {
            if (U32(tail, at) == Signature && at + Size + U16(tail, at + 20) == tail.Length)
            {
                several = found >= 0;
                found = file.Length - length + at;
                if (several)
                {
                    break;
                }
            }
        }

        return found;
    }

    private static bool Has64(ArchiveFile file, long end)
    {
        if (end < LocatorSize)
        {
            return false;
        }

        file.Position = end - LocatorSize;
        return U32(file.Peek(LocatorSize), 0) == Locator64;
    }

    private static EndRecord Read64(ArchiveFile file, long end, out long start)
    {
        file.Position = end - LocatorSize;
        ReadOnlySpan<byte> locator = file.Peek(LocatorSize);
        long place = (long)U64(locator, 8);
        if (U32(locator, 4) != 0 || U32(locator, 16) > 1)
        {
            throw Refuse("it is a part of an archive of several disks");
        }

        if (place < 0 || place > end - LocatorSize - Record64Size)
        {
            throw Refuse("the 64-bit end of its directory is not where it should be");
        }

        file.Position = start = place;
        ReadOnlySpan<byte> record = file.Peek(Record64Size);
        if (record.Length < Record64Size || U32(record, 0) != Record64 || U64(record, 4) != (ulong)(end - LocatorSize - place - 12))
        {
            throw Refuse("the 64-bit end of its directory is not where it should be");
        }

        ulong entries = U64(record, 32), size = U64(record, 40), offset = U64(record, 48);
        if (U32(record, 16) != 0 || U32(record, 20) != 0 || U64(record, 24) != entries)
        {
            throw Refuse("it is a part of an archive of several disks");
        }

        return entries <= int.MaxValue && size <= (ulong)place && offset <= (ulong)place
            ? new EndRecord((long)entries, (long)offset, (long)(offset + size))
            : throw Refuse("its directory does not end where its end says");
    }

    private static bool Agrees(long said, long real, long instead) => said == instead || said == real;

    private static ArchiveException Refuse(string reason) => new(entry: null, reason);
}
