using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;

namespace Transport;

/// <summary>UTF-8 over spans on both targets: the old one has these calls over pointers only.</summary>
internal static class Utf8
{
    /// <summary>The most bytes that one UTF-16 unit becomes; a surrogate pair becomes 4 for its two units.</summary>
    public const int MaxBytesPerChar = 3;

#if NET
    public static int Count(ReadOnlySpan<char> text) => Encoding.UTF8.GetByteCount(text);

    /// <summary>Encodes all of the text; a surrogate without its other half becomes U+FFFD.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Encode(ReadOnlySpan<char> text, Span<byte> to) =>
        // Most strings are ASCII, and that path is shorter; the other one goes on at the first other character.
        Ascii.FromUtf16(text, to, out int written) == OperationStatus.Done ? written : EncodeRest(text, to, written);

    /// <summary>Decodes; false if the bytes are not UTF-8.</summary>
    public static bool TryDecode(ReadOnlySpan<byte> bytes, out string text)
    {
        // Most texts are ASCII: one pass to see it and one to widen the bytes, as many as the general decoder makes.
        if (Ascii.IsValid(bytes))
        {
            text = Encoding.Latin1.GetString(bytes);
            return true;
        }

        bool valid = System.Text.Unicode.Utf8.IsValid(bytes);
        text = valid ? Encoding.UTF8.GetString(bytes) : string.Empty;
        return valid;
    }
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int EncodeRest(ReadOnlySpan<char> text, Span<byte> to, int done) =>
        done + Encoding.UTF8.GetBytes(text.Slice(done), to.Slice(done));
#else
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

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

    public static unsafe bool TryDecode(ReadOnlySpan<byte> bytes, out string text)
    {
        try
        {
            fixed (byte* from = bytes)
            {
                text = from == null ? string.Empty : Strict.GetString(from, bytes.Length);
            }

            return true;
        }
        catch (ArgumentException)
        {
            text = string.Empty;
            return false;
        }
    }
#endif
}
