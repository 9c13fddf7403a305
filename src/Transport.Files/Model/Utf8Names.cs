using System;

namespace Transport.Files;

/// <summary>UTF-8 of names (RFC 3629), strict on the way in, with raw bytes for <see cref="EntryName"/>'s escapes on the way out.</summary>
internal static class Utf8Names
{
    /// <summary>Returns the length of the valid sequence at the start.</summary>
    /// <param name="bytes">The bytes, at least one.</param>
    /// <param name="rune">The character.</param>
    /// <returns>1 to 4; 0 if the sequence is invalid (a wrong byte, an overlong form, a surrogate, beyond U+10FFFF, cut short).</returns>
    public static int SequenceLength(ReadOnlySpan<byte> bytes, out int rune)
    {
        rune = bytes[0];
        int length = rune switch { < 0x80 => 1, >= 0xC2 and < 0xE0 => 2, >= 0xE0 and < 0xF0 => 3, >= 0xF0 and < 0xF5 => 4, _ => 0 };
        if (length < 2 || bytes.Length < length)
        {
            return length == 1 ? 1 : 0;
        }

        rune &= 0xFF >> (length + 1);
        for (int i = 1; i < length; i++)
        {
            if ((bytes[i] & 0xC0) != 0x80)
            {
                return 0;
            }

            rune = (rune << 6) | (bytes[i] & 0x3F);
        }

        bool valid = length switch
        {
            3 => rune is >= 0x800 and not (>= 0xD800 and < 0xE000),
            4 => rune is >= 0x10000 and <= 0x10FFFF,
            _ => true,
        };
        return valid ? length : 0;
    }

    /// <summary>Counts the bytes that <see cref="Write"/> produces, without the final NUL.</summary>
    public static int Count(ReadOnlySpan<char> text)
    {
        int count = 0;
        for (int i = 0; i < text.Length; i++)
        {
            count += Bytes(text, ref i, out _);
        }

        return count;
    }

    /// <summary>Writes a name's bytes and a NUL.</summary>
    /// <returns>The number of bytes, without the NUL.</returns>
    public static int Write(ReadOnlySpan<char> text, Span<byte> to)
    {
        int at = 0;
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] < 0x80)
            {
                to[at++] = (byte)text[i];
                continue;
            }

            int count = Bytes(text, ref i, out int rune);
            if (count == 1)
            {
                to[at++] = (byte)rune;
                continue;
            }

            for (int k = count - 1; k > 0; k--)
            {
                to[at + k] = (byte)(0x80 | (rune & 0x3F));
                rune >>= 6;
            }

            to[at] = (byte)((0xF00 >> count) | rune);
            at += count;
        }

        to[at] = 0;
        return at;
    }

    /// <summary>
    /// Returns the number of bytes of a character. A lone surrogate that is no escape becomes U+FFFD, as everywhere in .NET.
    /// </summary>
    private static int Bytes(ReadOnlySpan<char> text, ref int at, out int rune)
    {
        char c = text[at];
        rune = c;
        if (char.IsHighSurrogate(c) && at + 1 < text.Length && char.IsLowSurrogate(text[at + 1]))
        {
            rune = char.ConvertToUtf32(c, text[++at]);
            return 4;
        }

        if (EntryName.IsEscapedByte(c))
        {
            rune = c & 0xFF;
            return 1;
        }

        if (char.IsSurrogate(c))
        {
            rune = 0xFFFD;
        }

        return rune < 0x80 ? 1 : rune < 0x800 ? 2 : 3;
    }
}
