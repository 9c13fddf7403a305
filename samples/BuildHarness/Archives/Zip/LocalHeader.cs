using System;
using static BuildHarness.Archives.Zip.LittleEndian;

namespace BuildHarness.Archives.Zip;

/// <summary>An entry's own header in front of its data (APPNOTE 4.3.7), compared with what the directory says: who reads only one of them
/// must see the same.</summary>
internal static class LocalHeader
{
    public const uint Signature = 0x04034b50;

    /// <summary>The flag of an entry whose sizes and check sum come behind its data.</summary>
    public const int HasDescriptor = 1 << 3;
    private const int Fixed = 30;

    /// <summary>Reads from the file's position to the first byte of the data.</summary>
    /// <param name="file">The archive.</param>
    /// <param name="central">What the directory says.</param>
    /// <param name="extra">The header's own extra fields.</param>
    /// <returns>Why the entry is refused, or null.</returns>
    public static string? Read(ArchiveFile file, CentralHeader central, out byte[] extra)
    {
        extra = [];
        ReadOnlySpan<byte> head = file.Peek(Fixed);
        if (head.Length < Fixed || U32(head, 0) != Signature)
        {
            return FormattableString.Invariant($"its header is not at byte {file.Position}, where the directory says that it is");
        }

        int name = U16(head, 26), extraLength = U16(head, 28), length = Fixed + name + extraLength;
        ReadOnlySpan<byte> all = file.Peek(length);
        if (all.Length < length)
        {
            return "its header is cut off";
        }

        if (!all.Slice(Fixed, name).SequenceEqual(central.Name))
        {
            return "its header and the directory disagree on the name";
        }

        string? differs = U16(all, 6) != central.Flags ? "flags"
            : U16(all, 8) != central.Method ? "method"
            : U32(all, 10) != central.DosTime ? "time"
            : null;
        if (differs is not null)
        {
            return $"its header and the directory disagree on the {differs}";
        }

        extra = all.Slice(Fixed + name, extraLength).ToArray();
        if (ZipExtra.Find(extra, ZipExtra.Zip64, out ReadOnlySpan<byte> large) is { } fault)
        {
            return fault;
        }

        uint crc = U32(all, 14), compressed = U32(all, 18), uncompressed = U32(all, 22);
        bool later = (central.Flags & HasDescriptor) != 0;
        bool agrees = (later && crc == 0) || crc == central.Crc;
        agrees &= Agrees(ref large, uncompressed, central.Uncompressed, later) & Agrees(ref large, compressed, central.Compressed, later);
        file.Position += length;
        return agrees ? null : "its header and the directory disagree on its check sum or sizes";
    }

    private static bool Agrees(ref ReadOnlySpan<byte> large, uint said, long real, bool later)
    {
        ulong value = said;
        if (said == uint.MaxValue && large.Length >= 8)
        {
            value = U64(large, 0);
            large = large[8..];
        }

        return value == (ulong)real || (later && value == 0);
    }
}
