using System.Globalization;
using System.Text;

namespace Transport.Tool;

/// <summary>How many columns of a terminal text takes: two for the wide characters of East Asia and for pictures, none for marks that
/// combine with what is before them (Unicode Standard Annex 11, in blocks).</summary>
internal static class CellWidth
{
    /// <summary>Cuts a text that has more columns, with … at its end.</summary>
    /// <param name="text">The text.</param>
    /// <param name="columns">How many there are.</param>
    /// <param name="taken">How many the result takes.</param>
    public static string Cut(string text, int columns, out int taken)
    {
        int total = 0, fits = 0, at = 0;
        foreach (Rune rune in text.EnumerateRunes())
        {
            int width = Of(rune);
            total += width;
            if (total <= columns - 1)
            {
                (fits, at) = (total, at + rune.Utf16SequenceLength);
            }
        }

        if (total <= columns)
        {
            taken = total;
            return text;
        }

        taken = columns <= 0 ? 0 : fits + 1;
        return columns <= 0 ? string.Empty : text[..at] + "…";
    }

    /// <summary>Returns the columns of a text.</summary>
    public static int Of(string text)
    {
        int total = 0;
        foreach (Rune rune in text.EnumerateRunes())
        {
            total += Of(rune);
        }

        return total;
    }

    private static int Of(Rune rune) => Rune.GetUnicodeCategory(rune) switch
    {
        UnicodeCategory.NonSpacingMark or UnicodeCategory.EnclosingMark or UnicodeCategory.Format or UnicodeCategory.Control => 0,
        _ => rune.Value is >= 0x1100 and <= 0x115f or >= 0x2e80 and <= 0xa4cf or >= 0xac00 and <= 0xd7a3 or >= 0xf900 and <= 0xfaff
            or >= 0xfe30 and <= 0xfe6f or >= 0xff00 and <= 0xff60 or >= 0xffe0 and <= 0xffe6 or >= 0x1f300 and <= 0x1faff
            or >= 0x20000 and <= 0x3fffd ? 2 : 1,
    };
}
