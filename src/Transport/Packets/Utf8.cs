using System;
using System.Text;

namespace Transport.Packets;

/// <summary>UTF-8 over spans on both targets: the old one has these calls over pointers only.</summary>
internal static class Utf8
{
    /// <summary>The most bytes that one UTF-16 unit becomes; a surrogate pair becomes 4 for its two units.</summary>
    public const int MaxBytesPerChar = 3;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Decodes; false where the bytes are not UTF-8.</summary>
    public static bool TryDecode(ReadOnlySpan<byte> bytes, out string text)
    {
        try
        {
            text = Decode(bytes);
            return true;
        }
        catch (ArgumentException)
        {
            text = string.Empty;
            return false;
        }
    }

#if NET
    public static int Count(ReadOnlySpan<char> text) => Encoding.UTF8.GetByteCount(text);

    /// <summary>Encodes all of the text; a surrogate without its other half becomes U+FFFD.</summary>
    public static int Encode(ReadOnlySpan<char> text, Span<byte> to) => Encoding.UTF8.GetBytes(text, to);

    private static string Decode(ReadOnlySpan<byte> bytes) => Strict.GetString(bytes);
#else
    public static unsafe int Count(ReadOnlySpan<char> text)
    {
        fixed (char* from = text)
        {
            return from == null ? 0 : Encoding.UTF8.GetByteCount(from, text.Length);
        }
    }

    public static unsafe int Encode(ReadOnlySpan<char> text, Span<byte> to)
    {
        fixed (char* from = text)
        fixed (byte* target = to)
        {
            return from == null || target == null ? 0 : Encoding.UTF8.GetBytes(from, text.Length, target, to.Length);
        }
    }

    private static unsafe string Decode(ReadOnlySpan<byte> bytes)
    {
        fixed (byte* from = bytes)
        {
            return from == null ? string.Empty : Strict.GetString(from, bytes.Length);
        }
    }
#endif
}
