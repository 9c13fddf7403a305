using System;

namespace BuildHarness.Archives.Zip;

/// <summary>What an entry's header may ask of a reader.</summary>
internal static class ZipRules
{
    public const int Stored = 0, Deflated = 8;
    private const int Encrypted = 1, Patched = 1 << 5, StronglyEncrypted = 1 << 6, Masked = 1 << 13;

    /// <returns>Why it is refused, or null.</returns>
    public static string? Check(CentralHeader central) =>
        (central.Flags & (Encrypted | StronglyEncrypted | Masked)) != 0 ? "it is encrypted"
        : (central.Flags & Patched) != 0 ? "it is a patch, not a file"
        : central.Method is not (Stored or Deflated) ? FormattableString.Invariant(
            $"it is compressed by method {central.Method}{NameOf(central.Method)}; only stored and deflated ones are read")
        : central.Method == Stored && central.Compressed != central.Uncompressed ? "it is stored and its two sizes differ"
        : null;

    private static string NameOf(int method) => method switch
    {
        1 => " (shrink)",
        6 => " (implode)",
        9 => " (deflate64)",
        12 => " (bzip2)",
        14 => " (LZMA)",
        93 => " (zstd)",
        95 => " (xz)",
        99 => " (AES)",
        _ => string.Empty,
    };
}
