using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>A quick hash of texts and bytes for a table that lives and dies with its link. Long ones are sampled: equality is always looked
/// at as well.</summary>
internal static class TextHash
{
    private const ulong Prime = 0x9E37_79B9_7F4A_7C15;

    /// <summary>What is read whole; of anything longer the head, the tail and as much again in between.</summary>
    private const int Whole = 256, Part = 64;

    public static int Of(ReadOnlySpan<byte> bytes)
    {
        ulong hash = (ulong)bytes.Length * Prime;
        if (bytes.Length <= Whole)
        {
            hash = Add(hash, bytes);
        }
        else
        {
            hash = Add(hash, bytes.Slice(0, Part));
            hash = Add(hash, bytes.Slice(bytes.Length - Part));
            int step = ((bytes.Length - (2 * Part)) / (Part / 8)) & ~7;
            for (int at = Part, i = 0; i < Part / 8; i++, at += Math.Max(step, 8))
            {
                hash = Mix(hash, Word(bytes, at));
            }
        }

        return (int)(hash >> 32);
    }

    private static ulong Add(ulong hash, ReadOnlySpan<byte> bytes)
    {
        // Two sums side by side: each multiplication waits for the one before.
        ulong other = ~hash;
        int at = 0;
        for (; at <= bytes.Length - 16; at += 16)
        {
            hash = Mix(hash, Word(bytes, at));
            other = Mix(other, Word(bytes, at + 8));
        }

        if (at <= bytes.Length - 8)
        {
            hash = Mix(hash, Word(bytes, at));
        }

        if ((bytes.Length & 7) != 0)
        {
            other = Mix(other, bytes.Length >= 8 ? Word(bytes, bytes.Length - 8) : Rest(bytes));
        }

        return Mix(hash, other);
    }

    private static ulong Rest(ReadOnlySpan<byte> bytes)
    {
        ulong rest = 0;
        foreach (byte one in bytes)
        {
            rest = (rest << 8) | one;
        }

        return rest;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Word(ReadOnlySpan<byte> bytes, int at) =>
        Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref MemoryMarshal.GetReference(bytes), at));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong hash, ulong word)
    {
        hash = (hash ^ word) * Prime;
        return hash ^ (hash >> 29);
    }
}
