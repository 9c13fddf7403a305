using System;
using System.Runtime.CompilerServices;

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

    public static bool IsZero(ReadOnlySpan<byte> block)
    {
        foreach (byte value in block)
        {
            if (value != 0)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether a file's first block is tar's: so that a damaged one is refused as such.</summary>
    public static bool LooksLikeOne(ReadOnlySpan<byte> block) =>
        block.Slice(257, 5).SequenceEqual("ustar"u8) || IsZero(block) || new TarHeader(block).HasRightSum();

    /// <summary>The sum of all bytes, its own field taken as spaces. Some old programs took bytes for signed, and every reader bears with
    /// that.</summary>
    public bool HasRightSum()
    {
        if (!TarNumber.TryRead(_block.Slice(148, 8), out long said))
        {
            return false;
        }

        int unsigned = (8 * ' ') + SumOf(_block) - SumOf(_block.Slice(148, 8));
        return said == unsigned || said == unsigned - (256 * (Negative(_block) - Negative(_block.Slice(148, 8))));
    }

    /// <summary>Adds up bytes, eight at a time into lanes of 16 bits: a lane takes 2 of each eight, so a block's 64 cannot fill
    /// it.</summary>
    /// <param name="bytes">A multiple of eight, at most a block.</param>
    private static int SumOf(ReadOnlySpan<byte> bytes)
    {
        const ulong Even = 0x00FF00FF00FF00FF;
        ulong lanes = 0;
        for (int at = 0; at < bytes.Length; at += sizeof(ulong))
        {
            ulong eight = Unsafe.ReadUnaligned<ulong>(in bytes[at]);
            lanes += (eight & Even) + ((eight >> 8) & Even);
        }

        return (int)((lanes & 0xFFFF) + ((lanes >> 16) & 0xFFFF) + ((lanes >> 32) & 0xFFFF) + (lanes >> 48));
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
