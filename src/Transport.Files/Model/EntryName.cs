using System;
using System.Globalization;
using System.Text;

namespace Transport.Files;

/// <summary>Converts names of files between bytes and text.</summary>
/// <remarks>
/// On Linux a name is bytes, most often UTF-8. A byte that is not part of valid UTF-8 is represented in a string by the lone surrogate
/// U+DC00 + byte (U+DC80 to U+DCFF), and becomes that byte again when the file is created. This is the mapping of Python's
/// "surrogateescape" (PEP 383), so no name is lost or changed on its way through a string.
/// </remarks>
public static class EntryName
{
    private const char FirstEscape = '\uDC80';
    private const char LastEscape = '\uDCFF';

    /// <summary>Returns the text for a name's bytes.</summary>
    /// <param name="bytes">The bytes, without an ending NUL.</param>
    /// <returns>The text.</returns>
    public static unsafe string FromBytes(ReadOnlySpan<byte> bytes)
    {
        int plain = 0;
        while (plain < bytes.Length && bytes[plain] < 0x80)
        {
            plain++;
        }

        if (plain == bytes.Length)
        {
            fixed (byte* first = bytes)
            {
                return plain == 0 ? string.Empty : Encoding.ASCII.GetString(first, plain);
            }
        }

        var text = new StringBuilder(bytes.Length);
        while (!bytes.IsEmpty)
        {
            int length = Utf8Names.SequenceLength(bytes, out int rune);
            if (length == 0)
            {
                text.Append((char)(0xDC00 + bytes[0]));
                bytes = bytes.Slice(1);
            }
            else if (length < 4)
            {
                text.Append((char)rune);
                bytes = bytes.Slice(length);
            }
            else
            {
                text.Append((char)(0xD800 + ((rune - 0x10000) >> 10))).Append((char)(0xDC00 + ((rune - 0x10000) & 0x3FF)));
                bytes = bytes.Slice(length);
            }
        }

        return text.ToString();
    }

    /// <summary>
    /// Returns a name that is safe to print: control characters and escaped bytes become \xNN, \uNNNN; a backslash stays.
    /// </summary>
    /// <param name="text">A name, or a message that contains one.</param>
    /// <returns>The text; the same object if nothing had to be escaped.</returns>
    public static string Escape(string text)
    {
        int first = 0;
        while (first < text.Length && IsPlain(text, first))
        {
            first++;
        }

        if (first == text.Length)
        {
            return text;
        }

        var safe = new StringBuilder(text, 0, first, text.Length + 16);
        for (int i = first; i < text.Length; i++)
        {
            if (IsPlain(text, i))
            {
                safe.Append(text[i]);
            }
            else if (IsEscapedByte(text[i]) || text[i] < 0x100)
            {
                safe.Append("\\x").Append((text[i] & 0xFF).ToString("x2", CultureInfo.InvariantCulture));
            }
            else
            {
                safe.Append("\\u").Append(((int)text[i]).ToString("x4", CultureInfo.InvariantCulture));
            }
        }

        return safe.ToString();
    }

    /// <summary>Checks whether a character stands for a byte that is not UTF-8.</summary>
    /// <param name="c">The character.</param>
    internal static bool IsEscapedByte(char c) => c is >= FirstEscape and <= LastEscape;

    /// <summary>
    /// Checks whether a character can be printed as it is. Halves of a pair go together. Marks that turn the direction of writing count as
    /// control characters.
    /// </summary>
    private static bool IsPlain(string text, int at)
    {
        char c = text[at];
        if (char.IsSurrogate(c))
        {
            bool isFirst = char.IsHighSurrogate(c) && at + 1 < text.Length && char.IsLowSurrogate(text[at + 1]);
            return isFirst || (char.IsLowSurrogate(c) && at > 0 && char.IsHighSurrogate(text[at - 1]));
        }

        return !char.IsControl(c) && CharUnicodeInfo.GetUnicodeCategory(c) is not
            (UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator);
    }
}
