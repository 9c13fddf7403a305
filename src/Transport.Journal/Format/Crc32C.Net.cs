using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics.X86;

namespace Transport.Journal;

/// <summary>CRC-32C by the processor's own instruction (RFC 3720, Castagnoli's polynomial, reflected).</summary>
internal static class Crc32C
{
    private const int Step = 4 * sizeof(ulong);

    /// <summary>
    /// Computes the sum of some bytes; in the caller's own code, so that a loop over records has the sums of neighbours overlap in the
    /// processor.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Of(ReadOnlySpan<byte> bytes) => Of(0, bytes);

    /// <summary>Computes the sum of bytes that follow others: for what is too long to be in memory at once.</summary>
    /// <param name="before">The sum of those others; 0 if there are none.</param>
    /// <param name="bytes">The bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Of(uint before, ReadOnlySpan<byte> bytes)
    {
        ref byte at = ref MemoryMarshal.GetReference(bytes);
        ulong sum = ~before;   // 64 bits, as the instruction has it: cutting it down each time is a third of a step
        nint left = bytes.Length;
        if ((left & sizeof(uint)) != 0)
        {
            // A record's sum begins 4 bytes behind a multiple of 8: from here on the words are aligned.
            sum = BitOperations.Crc32C((uint)sum, Unsafe.ReadUnaligned<uint>(ref at));
            at = ref Unsafe.Add(ref at, sizeof(uint));
            left -= sizeof(uint);
        }

        for (; left >= Step; left -= Step)
        {
            sum = Next(Next(Next(Next(sum, ref at, 0), ref at, 1), ref at, 2), ref at, 3);
            at = ref Unsafe.Add(ref at, Step);
        }

        for (; left >= sizeof(ulong); left -= sizeof(ulong))
        {
            sum = Next(sum, ref at, 0);
            at = ref Unsafe.Add(ref at, sizeof(ulong));
        }

        for (; left > 0; left--)
        {
            sum = BitOperations.Crc32C((uint)sum, at);
            at = ref Unsafe.Add(ref at, 1);
        }

        return ~(uint)sum;
    }

    /// <summary>
    /// The instruction itself: code that is compiled ahead of time does not take BitOperations' into its own, and would call it for every
    /// 8 bytes.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Next(ulong sum, ref byte at, nint index)
    {
        ulong word = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref at, index * sizeof(ulong)));
        return Sse42.X64.IsSupported ? Sse42.X64.Crc32(sum, word) : BitOperations.Crc32C((uint)sum, word);
    }
}
