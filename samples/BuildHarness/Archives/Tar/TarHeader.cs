using System;

namespace BuildHarness.Archives.Tar;

/// <summary>One header block of 512 bytes: v7, ustar (POSIX.1-1988) or GNU's.</summary>
internal readonly ref struct TarHeader(ReadOnlySpan<byte> block)
{
    public const int Size = 512;

    private readonly ReadOnlySpan<byte> _block = block;

    public byte Type => _block[156];

    public ReadOnlySpan<byte> Name => Text(0, 100);

    public ReadOnlySpan<byte> LinkName => Text(157, 100);

    /// <summary>Gets what goes in front of the name; only POSIX has it, GNU keeps other things there.</summary>
    public ReadOnlySpan<byte> Prefix => _block.Slice(257, 6).SequenceEqual("ustar\0"u8) ? Text(345, 155) : default;

    public static bool IsZero(ReadOnlySpan<byte> block) => block.IndexOfAnyExcept((byte)0) < 0;

    /// <summary>Whether a file's first block is tar's: so that a damaged one is refused as such.</summary>
    public static bool LooksLikeOne(ReadOnlySpan<byte> block) =>
        block.Slice(257, 5).SequenceEqual("ustar"u8) || IsZero(block) || new TarHeader(block).HasRightSum();

    /// <summary>The sum of all bytes, its own field taken as spaces. Some old programs took bytes for signed, and every reader bears with that.</summary>
    public bool HasRightSum()
    {
        if (!TarNumber.TryRead(_block.Slice(148, 8), out long said))
        {
            return false;
        }

        ReadOnlySpan<byte> before = _block[..148], behind = _block[156..];
        int unsigned = (8 * ' ') + SumOf(before) + SumOf(behind);
        return said == unsigned || said == unsigned - (256 * (Negative(before) + Negative(behind)));
    }

    private static int SumOf(ReadOnlySpan<byte> bytes)
    {
        int sum = 0;
        foreach (byte value in bytes)
        {
            sum += value;
        }

        return sum;
    }

    private static int Negative(ReadOnlySpan<byte> bytes)
    {
        int count = 0;
        foreach (byte value in bytes)
        {
            count += value >> 7;
        }

        return count;
    }

    public bool TryReadMode(out int mode)
    {
        bool read = TarNumber.TryRead(_block.Slice(100, 8), out long value);
        mode = (int)(value & 0x1ff);
        return read;
    }

    public bool TryReadSize(out long size) => TarNumber.TryRead(_block.Slice(124, 12), out size) && size >= 0;

    public bool TryReadTime(out long seconds) => TarNumber.TryRead(_block.Slice(136, 12), out seconds);

    private ReadOnlySpan<byte> Text(int start, int length)
    {
        ReadOnlySpan<byte> field = _block.Slice(start, length);
        int end = field.IndexOf((byte)0);
        return end < 0 ? field : field[..end];
    }
}
