using System;
using System.Text;
using System.Text.Unicode;
using static BuildHarness.Archives.Zip.LittleEndian;

namespace BuildHarness.Archives.Zip;

/// <summary>The effective name of a zip entry, as UTF-8.</summary>
internal static class ZipName
{
    private const int IsUtf8 = 1 << 11;

    /// <summary>The upper half of code page 437, which names are in that say nothing else (APPNOTE, appendix D).</summary>
    private const string UpperHalf =
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
        + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

    /// <param name="central">The entry.</param>
    /// <param name="local">The extra fields of its own header.</param>
    /// <param name="name">Its name.</param>
    /// <returns>Why it is refused, or null.</returns>
    public static string? Read(CentralHeader central, ReadOnlySpan<byte> local, out byte[] name)
    {
        name = central.Name;
        string? fault = ZipExtra.Find(central.Extra, ZipExtra.UnicodePath, out ReadOnlySpan<byte> there)
            ?? ZipExtra.Find(local, ZipExtra.UnicodePath, out ReadOnlySpan<byte> here)
            ?? (there.SequenceEqual(here) ? null : "its header and the directory disagree on the Unicode name");
        if (fault is not null)
        {
            return fault;
        }

        if (!there.IsEmpty)
        {
            // One that was made for another name says so by its check sum; whom to believe then, readers differ.
            bool fits = there.Length > 5 && there[0] == 1 && U32(there, 1) == Crc32.Append(0, central.Name);
            if (!fits)
            {
                return "its Unicode name is not for its name";
            }

            name = there[5..].ToArray();
        }

        bool says8 = !there.IsEmpty || (central.Flags & IsUtf8) != 0;
        if (says8 && !Utf8.IsValid(name))
        {
            return "its name says that it is UTF-8 and is not";
        }

        if (!says8 && central.System is not (ZipAttributes.Unix or ZipAttributes.MacOS) && !Ascii.IsValid(name))
        {
            name = Encoding.UTF8.GetBytes(string.Create(name.Length, name, static (chars, bytes) =>
            {
                for (int i = 0; i < chars.Length; i++)
                {
                    chars[i] = bytes[i] < 128 ? (char)bytes[i] : UpperHalf[bytes[i] - 128];
                }
            }));
        }

        return name.AsSpan().Contains((byte)'\\') ? "a backslash is in its name" : null;
    }
}
