using System;
using System.Text;

namespace Transport.Files;

/// <summary>Converts names of files between bytes and text.</summary>
/// <remarks>
/// On Linux a name is bytes, most often UTF-8. A byte that is not part of valid UTF-8 is represented in a string by the lone surrogate
/// U+DC00 + byte (U+DC80 to U+DCFF), and becomes that byte again when the file is created. This is the mapping of Python's
/// "surrogateescape" (PEP 383), so no name is lost or changed on its way through a string.
/// </remarks>
internal static class EntryName
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

    /// <summary>Checks whether a character stands for a byte that is not UTF-8.</summary>
    /// <param name="c">The character.</param>
    internal static bool IsEscapedByte(char c) => c is >= FirstEscape and <= LastEscape;
}
