using System;
using System.Buffers.Binary;

namespace BuildHarness.Archives.Tar;

/// <summary>Numbers of a tar header: octal digits, or GNU's base 256 if the first byte has its highest bit set.</summary>
internal static class TarNumber
{
    /// <returns>Whether the field is a number that a long can hold. A field of zeros alone is 0, one of blanks alone is no number, as for
    /// tar.</returns>
    public static bool TryRead(ReadOnlySpan<byte> field, out long value)
    {
        value = 0;
        if (field[0] is 0x80 or 0xff)
        {
            return TryReadBinary(field, out value);
        }

        // By hand, as all of what is read five times an entry: the runtime's searches in spans of bytes are compiled as the program runs,
        // one of them to 32 KB of code.
        int at = 0;
        while (at < field.Length && field[at] == ' ')
        {
            at++;
        }

        if (at == field.Length)
        {
            return false;
        }

        for (; at < field.Length && field[at] is >= (byte)'0' and <= (byte)'7'; at++)
        {
            // Twelve digits are the most there can be: 36 bits.
            value = (value << 3) + (field[at] - '0');
        }

        // Behind the digits only what ends and fills a field.
        while (at < field.Length && field[at] is (byte)' ' or 0)
        {
            at++;
        }

        return at == field.Length;
    }

    /// <summary>A whole decimal number of digits alone.</summary>
    public static bool TryReadDecimal(ReadOnlySpan<byte> text, out long value)
    {
        value = 0;
        if (text.IsEmpty || text.Length > 19)
        {
            return false;
        }

        // Nineteen digits may go beyond a long, by less than its sign takes.
        foreach (byte digit in text)
        {
            if (digit is < (byte)'0' or > (byte)'9')
            {
                return false;
            }

            value = unchecked((value * 10) + (digit - '0'));
        }

        return value >= 0;
    }

    private static bool TryReadBinary(ReadOnlySpan<byte> field, out long value)
    {
        // The fields have 8 or 12 bytes; what is in front of the last eight may only be the sign.
        byte sign = field[0] == 0xff ? (byte)0xff : (byte)0;
        if (field.Length == 8)
        {
            value = BinaryPrimitives.ReadInt64BigEndian(field);
            value = sign == 0 ? value & long.MaxValue : value;
            return true;
        }

        value = BinaryPrimitives.ReadInt64BigEndian(field[^8..]);
        return field[1..^8].IndexOfAnyExcept(sign) < 0 && (value < 0) == (sign != 0);
    }
}
