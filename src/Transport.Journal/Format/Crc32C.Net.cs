using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Transport.Journal.Format;

/// <summary>CRC-32C by the processor's own instruction (RFC 3720, Castagnoli's polynomial, reflected).</summary>
internal static class Crc32C
{
    /// <summary>Computes the sum of some bytes.</summary>
    public static uint Of(ReadOnlySpan<byte> bytes)
    {
        uint sum = ~0u;
        ref byte at = ref MemoryMarshal.GetReference(bytes);
        nint left = bytes.Length;
        if ((left & sizeof(uint)) != 0)
        {
            // A record's sum begins 4 bytes behind a multiple of 8: from here on the words are aligned.
            sum = BitOperations.Crc32C(sum, Unsafe.ReadUnaligned<uint>(ref at));
            at = ref Unsafe.Add(ref at, sizeof(uint));
            left -= sizeof(uint);
        }

        for (; left >= sizeof(ulong); left -= sizeof(ulong))
        {
            sum = BitOperations.Crc32C(sum, Unsafe.ReadUnaligned<ulong>(ref at));
            at = ref Unsafe.Add(ref at, sizeof(ulong));
        }

        for (; left > 0; left--)
        {
            sum = BitOperations.Crc32C(sum, at);
            at = ref Unsafe.Add(ref at, 1);
        }

        return ~sum;
    }
}
