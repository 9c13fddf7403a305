using System;
using System.Buffers.Binary;

namespace Transport.Journal;

/// <summary>
/// CRC-32C by tables, eight bytes at a time (RFC 3720, Castagnoli's polynomial, reflected): for runtimes without the instruction.
/// </summary>
internal static class Crc32C
{
    private const uint Polynomial = 0x82F63B78;
    private const int Slices = 8;

    // Slice s, entry b: what byte b adds when s more bytes follow it.
    private static readonly uint[] Table = MakeTable();

    /// <summary>Computes the sum of some bytes.</summary>
    public static uint Of(ReadOnlySpan<byte> bytes) => Of(0, bytes);

    /// <summary>Computes the sum of bytes that follow others: for what is too long to be in memory at once.</summary>
    /// <param name="before">The sum of those others; 0 if there are none.</param>
    /// <param name="bytes">The bytes.</param>
    public static uint Of(uint before, ReadOnlySpan<byte> bytes)
    {
        uint sum = ~before;
        uint[] table = Table;
        while (bytes.Length >= Slices)
        {
            uint low = sum ^ BinaryPrimitives.ReadUInt32LittleEndian(bytes);
            uint high = BinaryPrimitives.ReadUInt32LittleEndian(bytes.Slice(4));
            sum = table[(7 * 256) + (low & 0xFF)] ^ table[(6 * 256) + ((low >> 8) & 0xFF)] ^ table[(5 * 256)
                + ((low >> 16) & 0xFF)] ^ table[(4 * 256) + (low >> 24)]
                ^ table[(3 * 256) + (high & 0xFF)] ^ table[(2 * 256) + ((high >> 8) & 0xFF)] ^ table[256
                    + ((high >> 16) & 0xFF)] ^ table[high >> 24];
            bytes = bytes.Slice(Slices);
        }

        foreach (byte b in bytes)
        {
            sum = table[(byte)sum ^ b] ^ (sum >> 8);
        }

        return ~sum;
    }

    private static uint[] MakeTable()
    {
        uint[] table = new uint[Slices * 256];
        for (uint b = 0; b < 256; b++)
        {
            uint sum = b;
            for (int bit = 0; bit < 8; bit++)
            {
                sum = (sum & 1) != 0 ? (sum >> 1) ^ Polynomial : sum >> 1;
            }

            table[b] = sum;
        }

        for (int i = 256; i < table.Length; i++)
        {
            uint before = table[i - 256];
            table[i] = table[before & 0xFF] ^ (before >> 8);
        }

        return table;
    }
}
