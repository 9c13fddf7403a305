using System;
using System.Buffers.Binary;

namespace BuildHarness.Archives;

/// <summary>The check sum of zip and gzip: CRC-32 with the polynomial 0x04C11DB7, bits reflected (RFC 1952, section 8), sixteen bytes a
/// step.</summary>
internal static class Crc32
{
    private const int Step = 16;
    private static readonly uint[] Tables = MakeTables();

    /// <param name="crc">0, or what an earlier call gave for the bytes before.</param>
    /// <param name="bytes">The next bytes.</param>
    public static uint Append(uint crc, ReadOnlySpan<byte> bytes)
    {
        uint[] t = Tables;
        crc = ~crc;
        while (bytes.Length >= Step)
        {
            uint a = BinaryPrimitives.ReadUInt32LittleEndian(bytes) ^ crc;
            uint b = BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]);
            uint c = BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..]);
            uint d = BinaryPrimitives.ReadUInt32LittleEndian(bytes[12..]);
            crc = t[(15 << 8) + (byte)a] ^ t[(14 << 8) + (byte)(a >> 8)] ^ t[(13 << 8) + (byte)(a >> 16)] ^ t[(12 << 8) + (int)(a >> 24)]
                ^ t[(11 << 8) + (byte)b] ^ t[(10 << 8) + (byte)(b >> 8)] ^ t[(9 << 8) + (byte)(b >> 16)] ^ t[(8 << 8) + (int)(b >> 24)]
                ^ t[(7 << 8) + (byte)c] ^ t[(6 << 8) + (byte)(c >> 8)] ^ t[(5 << 8) + (byte)(c >> 16)] ^ t[(4 << 8) + (int)(c >> 24)]
                ^ t[(3 << 8) + (byte)d] ^ t[(2 << 8) + (byte)(d >> 8)] ^ t[(1 << 8) + (byte)(d >> 16)] ^ t[(int)(d >> 24)];
            bytes = bytes[Step..];
        }

        foreach (byte value in bytes)
        {
            crc = t[(byte)(crc ^ value)] ^ (crc >> 8);
        }

        return ~crc;
    }

    /// <summary>Table n reports what a byte has become after n further bytes.</summary>
    private static uint[] MakeTables()
    {
        var tables = new uint[Step << 8];
        for (uint i = 0; i < 256; i++)
        {
            uint value = i;
            for (int bit = 0; bit < 8; bit++)
            {
                value = (value >> 1) ^ ((value & 1) * 0xEDB88320);
            }

            tables[i] = value;
        }

        for (int i = 256; i < tables.Length; i++)
        {
            uint before = tables[i - 256];
            tables[i] = tables[(byte)before] ^ (before >> 8);
        }

        return tables;
    }
}
