using System;
using System.IO;
using System.Text;

namespace Unpack;

/// <summary>
/// What <see cref="System.Formats.Tar.TarReader"/> reads from, and what it leaves unchecked: check sums of headers, how much an extended
/// header may claim before memory is taken for it, the two blocks of zeros at the end, an end in the middle, and all bytes against the
/// limits. It looks at headers alone: the reader of entries says how long their content is.
/// </summary>
/// <param name="inner">The archive, decompressed.</param>
/// <param name="limits">What it may make of itself.</param>
/// <param name="budget">Where bytes are counted.</param>
internal sealed class TarHeaders(Stream inner, ArchiveLimits limits, Budget budget) : ForwardStream
{
    /// <summary>The bytes of a header.</summary>
    public const int Block = 512;

    /// <summary>Why an entry without its holes is refused.</summary>
    public const string Sparse = "it is a sparse file, stored without its holes; that is not read here (tar --sparse made it, and without "
        + "that option it is read)";

    private const string NoEnd = "it ends without the two blocks of zeros that end a tar archive",
        HalfAnEnd = "it has one block of zeros where a tar archive ends with two";

    private readonly byte[] _header = new byte[Block];
    private int _headerLeft;         // of the header: bytes that are still to be handed over
    private long _dataLeft;          // bytes before the next header
    private long _extended;          // bytes of headers since the last entry
    private bool _isEntry, _any;     // the header is an entry's own, and no other follows before its content; there was one
    private bool _isExpecting;       // an extended header was there, and its entry was not
    private int _zeros;

    /// <summary>Gets how many bytes were handed over.</summary>
    public long Taken { get; private set; }

    /// <summary>Gets the byte where the last header begins.</summary>
    public long HeaderAt { get; private set; }

    /// <summary>Whether a file's first block is tar's: so that a damaged one is refused as such.</summary>
    public static bool LooksLikeOne(ReadOnlySpan<byte> block) =>
        block.Slice(257, 5).SequenceEqual("ustar"u8) || !block.ContainsAnyExcept((byte)0) || HasRightSum(block);

    /// <summary>Says how much content follows the header that was handed over last.</summary>
    public void ContentFollows(long bytes)
    {
        _dataLeft = bytes + (-bytes & (Block - 1));
        _isEntry = false;
    }

    /// <summary>Takes what was read for an entry: the headers in front of the next one are counted anew.</summary>
    public void EntryTaken() => (_extended, _isExpecting) = (0, false);

    public override int Read(Span<byte> buffer)
    {
        if (buffer.IsEmpty)
        {
            return 0;
        }

        if (_dataLeft > 0 || _isEntry)
        {
            // An entry's own content, or an extended header's.
            int read = Caught(_isEntry ? buffer : buffer[..(int)Math.Min(buffer.Length, _dataLeft)], atLeast: 1);
            _dataLeft -= _isEntry ? 0 : read;
            return read > 0 ? Count(read)
                : throw new ArchiveException(budget.Current, budget.Current is null ? "it ends in the middle of an extended header"
                    : "the archive ends in the middle of it");
        }

        if (_headerLeft == 0 && !ReadHeader())
        {
            return _zeros > 0 ? 0 : throw new ArchiveException(entry: null, NoEnd);
        }

        int count = Math.Min(buffer.Length, _headerLeft);
        _header.AsSpan(Block - _headerLeft, count).CopyTo(buffer);
        _headerLeft -= count;
        if (_headerLeft == 0)
        {
            Look();
        }

        return count;
    }

    /// <summary>Reads on to the end of the file, once no entry is left.</summary>
    /// <exception cref="ArchiveException">It has not ended as a tar archive does.</exception>
    public void ReadEnd()
    {
        while (ReadHeader())
        {
            _headerLeft = 0;
            if (_header.AsSpan().ContainsAnyExcept((byte)0))
            {
                throw new ArchiveException(entry: null, _zeros > 1 ? "something is behind the end of the tar archive"
                    : HalfAnEnd);
            }

            _zeros++;
        }

        if (_zeros < 2)
        {
            throw new ArchiveException(entry: null, _zeros == 0 ? NoEnd
                : HalfAnEnd);
        }
    }

    private static bool HasRightSum(ReadOnlySpan<byte> block)
    {
        const int At = 148, Size = 8;
        int sum = Size * ' ', signed = sum;
        for (int i = 0; i < Block; i++)
        {
            // Some old programs took bytes for signed, and every reader bears with that.
            sum += i is >= At and < At + Size ? 0 : block[i];
            signed += i is >= At and < At + Size ? 0 : (sbyte)block[i];
        }

        return Number(block.Slice(At, Size)) is { } said && (said == sum || said == signed);
    }

    /// <returns>A field of a header: octal, or with its first bit set binary; null: no number that is not negative.</returns>
    private static long? Number(ReadOnlySpan<byte> field)
    {
        if (field[0] == 0x80)
        {
            long value = 0;
            foreach (byte one in field[1..])
            {
                value = value > long.MaxValue >> 9 ? long.MaxValue >> 1 : (value << 8) | one;
            }

            return value;
        }

        field = field.TrimStart((byte)' ');
        int end = field.IndexOfAny((byte)0, (byte)' ');
        long number = 0;
        foreach (byte one in end < 0 ? field : field[..end])
        {
            if (one is < (byte)'0' or > (byte)'7')
            {
                return null;
            }

            number = (number << 3) | (uint)(one - '0');
        }

        return number;
    }

    private int Caught(Span<byte> buffer, int atLeast)
    {
        try
        {
            return inner.ReadAtLeast(buffer, atLeast, throwOnEndOfStream: false);
        }
        catch (InvalidDataException)
        {
            throw new ArchiveException(budget.Current, "its compressed data makes no sense, or its check sum is wrong");
        }
    }

    private int Count(int bytes)
    {
        Taken += bytes;
        budget.Count(bytes);
        return bytes;
    }

    private bool ReadHeader()
    {
        HeaderAt = Taken;
        int read = Caught(_header, Block);
        Count(read);
        _headerLeft = read;
        return read == Block || (read != 0 ? throw new ArchiveException(entry: null, "it ends in the middle of a header") : false);
    }

    /// <summary>Looks at a header that has been handed over whole.</summary>
    private void Look()
    {
        if (!_header.AsSpan().ContainsAnyExcept((byte)0))
        {
            _zeros++;
            if (_isExpecting)
            {
                throw new ArchiveException(entry: null, "it ends behind an extended header, without the entry that it is for");
            }

            return;
        }

        if (_zeros > 0)
        {
            throw new ArchiveException(entry: null, _zeros > 1 ? "something is behind the end of the tar archive"
                : HalfAnEnd);
        }

        if (!HasRightSum(_header))
        {
            throw new ArchiveException(entry: null, _any
                ? FormattableString.Invariant($"the check sum of its header, at byte {HeaderAt}, is wrong")
                : "it is no tar archive, or its first header's check sum is wrong");
        }

        _any = true;
        byte type = _header[156];
        if (type == (byte)'S')
        {
            int end = _header.AsSpan(0, 100).IndexOf((byte)0);
            throw new ArchiveException(Encoding.UTF8.GetString(_header, 0, end < 0 ? 100 : end), Sparse);
        }

        _isEntry = type is not ((byte)'x' or (byte)'X' or (byte)'g' or (byte)'L' or (byte)'K');
        if (_isEntry)
        {
            return;
        }

        _isExpecting |= type != (byte)'g';
        long size = Number(_header.AsSpan(124, 12)) ?? throw new ArchiveException(
            entry: null, FormattableString.Invariant($"the size of an extended header, at byte {HeaderAt}, is no number"));
        AddExtended(Block + size);
        ContentFollows(size);
    }

    /// <summary>Counts what is no entry: extended headers, and labels.</summary>
    public void AddExtended(long bytes)
    {
        _extended += bytes;
        if (_extended > limits.HeaderBytes)
        {
            throw new ArchiveException(entry: null, FormattableString.Invariant(
                $"an entry has more than {limits.HeaderBytes} bytes of extended headers, at byte {HeaderAt}"));
        }
    }
}
