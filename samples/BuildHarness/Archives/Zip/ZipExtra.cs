using System;
using static BuildHarness.Archives.Zip.LittleEndian;

namespace BuildHarness.Archives.Zip;

/// <summary>The extra fields of a zip header: id, length, bytes.</summary>
internal static class ZipExtra
{
    public const ushort Zip64 = 0x0001, Time = 0x5455, OldUnix = 0x5855, UnicodePath = 0x7075;

    /// <summary>Looks for a field.</summary>
    /// <param name="extra">All fields.</param>
    /// <param name="id">Which.</param>
    /// <param name="field">Its bytes; empty if it is not there.</param>
    /// <returns>Why they are refused, or null.</returns>
    public static string? Find(ReadOnlySpan<byte> extra, ushort id, out ReadOnlySpan<byte> field)
    {
        field = default;
        bool found = false;
        while (extra.Length >= 4)
        {
            int length = U16(extra, 2);
            if (length > extra.Length - 4)
            {
                return "its extra fields are cut off";
            }

            if (U16(extra, 0) == id)
            {
                if (found)
                {
                    return FormattableString.Invariant($"its extra field 0x{id:x4} is there twice");
                }

                found = true;
                field = extra.Slice(4, length);
            }

            extra = extra[(4 + length)..];
        }

        // Up to three zeros are what some programs align with.
        return extra.IndexOfAnyExcept((byte)0) < 0 ? null : "its extra fields are cut off";
    }
}
