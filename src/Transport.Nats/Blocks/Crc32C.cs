using System;
using System.Buffers.Binary;
using System.Numerics;

namespace Transport.Nats;

/// <summary>CRC-32C (RFC 3720: Castagnoli's polynomial, reflected, start and end inverted).</summary>
internal static class Crc32C
{
    /// <summary>Computes the sum of bytes that follow others.</summary>
    /// <param name="before">The sum of those others; 0 if there are none.</param>
    /// <param name="bytes">The bytes.</param>
    public static uint Of(uint before, ReadOnlySpan<byte> bytes)
    {
        uint sum = ~before;
        for (; bytes.Length >= sizeof(ulong); bytes = bytes[sizeof(ulong)..])
        {
            sum = BitOperations.Crc32C(sum, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
        }

        foreach (byte one in bytes)
        {
            sum = BitOperations.Crc32C(sum, one);
        }

        return ~sum;
    }
}
