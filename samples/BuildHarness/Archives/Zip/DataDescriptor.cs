using System;
using static BuildHarness.Archives.Zip.LittleEndian;

namespace BuildHarness.Archives.Zip;

/// <summary>The check sum and sizes behind an entry's data (APPNOTE 4.3.9): with or without a signature, sizes of 32 or 64 bits. Its length
/// is what lies before the next entry.</summary>
internal static class DataDescriptor
{
    private const uint Signature = 0x08074b50;

    /// <returns>Why it is refused, or null.</returns>
    public static string? Check(ArchiveFile file, long end, CentralHeader central)
    {
        long length = end - file.Position;
        if (length is not (12 or 16 or 20 or 24))
        {
            return length < 12 ? "the next entry overlaps it, or its data descriptor is missing"
                : FormattableString.Invariant($"{length} bytes lie behind it, where its data descriptor is");
        }

        ReadOnlySpan<byte> bytes = file.Peek((int)length);
        bool signed = length is 16 or 24;
        if (bytes.Length < length || (signed && U32(bytes, 0) != Signature))
        {
            return "its data descriptor is none";
        }

        bytes = signed ? bytes[4..] : bytes;
        bool large = bytes.Length == 20;
        ulong compressed = large ? U64(bytes, 4) : U32(bytes, 4);
        ulong uncompressed = large ? U64(bytes, 12) : U32(bytes, 8);
        return U32(bytes, 0) == central.Crc && compressed == (ulong)central.Compressed && uncompressed == (ulong)central.Uncompressed
            ? null
            : "its data descriptor and the directory disagree on its check sum or sizes";
    }
}
