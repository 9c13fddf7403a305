using System;
using System.Buffers.Binary;

namespace BuildHarness.Tests.Archives;

/// <summary>Writes gzip members byte by byte.</summary>
internal static class GzipBytes
{
    public static byte[] Member(
        byte[] content, int flags = 0, byte[]? header = null, uint crcError = 0, int lengthError = 0, byte[]? data = null)
    {
        byte[] deflated = data ?? ZipBytes.Deflate(content);
        var trailer = new byte[8];
        BinaryPrimitives.WriteUInt32LittleEndian(trailer, ZipBytes.Crc(content) ^ crcError);
        BinaryPrimitives.WriteInt32LittleEndian(trailer.AsSpan(4), content.Length + lengthError);
        return [0x1f, 0x8b, 8, (byte)flags, 0, 0, 0, 0, 0, 3, .. header ?? [], .. deflated, .. trailer];
    }
}
