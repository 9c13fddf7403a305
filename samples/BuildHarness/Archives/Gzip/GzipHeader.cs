using System;
using System.Buffers.Binary;

namespace BuildHarness.Archives.Gzip;

/// <summary>A member's header (RFC 1952, section 2.3), read over: nothing in it matters, but it has to be right.</summary>
internal static class GzipHeader
{
    private const int CheckSum = 2, Extra = 4, Name = 8, Comment = 16, Reserved = 0xe0;

    /// <summary>Reads from the file's position, to the first compressed byte.</summary>
    /// <exception cref="ArchiveException">It is no header, or is cut off, damaged or too long.</exception>
    public static void Read(ArchiveFile file, int most)
    {
        long start = file.Position;
        ReadOnlySpan<byte> head = file.Peek(10);
        if (head.Length < 10 || head[0] != 0x1f || head[1] != 0x8b)
        {
            throw new ArchiveException(entry: null, start == 0 ? "the gzip file ends in its header"
                : FormattableString.Invariant($"something that is no gzip member is behind the last one, at byte {start}"));
        }

        int flags = head[3];
        if (head[2] != 8 || (flags & Reserved) != 0)
        {
            throw Wrong(start, head[2] != 8 ? FormattableString.Invariant($"names an unknown method, {head[2]}")
                : "sets flags that have no meaning");
        }

        var sum = new Sum(file, most, start);
        sum.Take(10);
        if ((flags & Extra) != 0)
        {
            sum.Take(BinaryPrimitives.ReadUInt16LittleEndian(sum.Take(2)));
        }

        if ((flags & Name) != 0)
        {
            sum.TakeText();
        }

        if ((flags & Comment) != 0)
        {
            sum.TakeText();
        }

        uint crc = sum.Crc;
        if ((flags & CheckSum) != 0 && BinaryPrimitives.ReadUInt16LittleEndian(sum.Take(2)) != (ushort)crc)
        {
            throw Wrong(start, "has a wrong check sum");
        }
    }

    private static ArchiveException Wrong(long start, string what) =>
        new(entry: null, FormattableString.Invariant($"the header of the gzip member at byte {start} {what}"));

    private sealed class Sum(ArchiveFile file, int most, long start)
    {
        public uint Crc { get; private set; }

        public ReadOnlySpan<byte> Take(int count)
        {
            ReadOnlySpan<byte> bytes = file.Peek(count);
            if (bytes.Length < count)
            {
                throw Wrong(start, "is cut off");
            }

            Crc = Crc32.Append(Crc, bytes);
            file.Position += count;
            return file.Position - start <= most + 10 ? bytes
                : throw Wrong(start, FormattableString.Invariant($"has more than {most} bytes"));
        }

        public void TakeText()
        {
            int end;
            do
            {
                ReadOnlySpan<byte> next = file.Peek(4096);
                if (next.IsEmpty)
                {
                    throw Wrong(start, "is cut off");
                }

                end = next.IndexOf((byte)0);
                Take(end < 0 ? next.Length : end + 1);
            }
            while (end < 0);
        }
    }
}
