using System;
using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Unicode;
using BuildHarness.Display;

namespace BuildHarness.Archives.Names;

/// <summary>
/// Names in archives are bytes and mostly UTF-8. A byte that is not becomes the lone surrogate U+DC00 + byte, which UTF-8 cannot hold: so every
/// sequence of bytes has a text of its own, and the way back is known (PEP 383 describes the same).
/// </summary>
internal static class ByteText
{
    private const int MostShown = 200;

    public static string Decode(ReadOnlySpan<byte> bytes)
    {
        if (Utf8.IsValid(bytes))
        {
            return Encoding.UTF8.GetString(bytes);
        }

        var text = new StringBuilder(bytes.Length);
        Span<char> chars = stackalloc char[2];
        while (!bytes.IsEmpty)
        {
            if (Rune.DecodeFromUtf8(bytes, out Rune rune, out int length) == OperationStatus.Done)
            {
                text.Append(chars[..rune.EncodeToUtf16(chars)]);
            }
            else
            {
                for (int i = 0; i < length; i++)
                {
                    text.Append((char)(0xDC00 + bytes[i]));
                }
            }

            bytes = bytes[length..];
        }

        return text.ToString();
    }

    /// <summary>A name for a message: its beginning where it is long, and nothing in it that moves a cursor.</summary>
    public static string Show(ReadOnlySpan<byte> name)
    {
        // No character is cut in two: a byte that is left of one is shown as such.
        string text = OneLine.Escape(Decode(name.Length > MostShown ? name[..MostShown] : name)).Replace("\t", "\\u0009", StringComparison.Ordinal);
        var shown = new StringBuilder(text.Length + 16);
        for (int i = 0; i < text.Length; i++)
        {
            bool pair = char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]);
            if (pair)
            {
                shown.Append(text[i++]).Append(text[i]);
            }
            else if (char.IsSurrogate(text[i]))
            {
                shown.Append(CultureInfo.InvariantCulture, $"\\x{text[i] & 0xff:x2}");
            }
            else
            {
                shown.Append(text[i]);
            }
        }

        return name.Length > MostShown ? string.Create(CultureInfo.InvariantCulture, $"{shown}… ({name.Length} bytes)")
            : name.IsEmpty ? "\"\""
            : shown.ToString();
    }
}
