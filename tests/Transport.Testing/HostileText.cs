using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Testing;

/// <summary>
/// A text that a terminal must neither obey nor get whole: each character that it could obey or that turns text around, and 60,000 more.
/// </summary>
public static class HostileText
{
    /// <summary>Every character that must be escaped: C0 without tab and line ends, DEL, C1, separators of lines, directions.</summary>
    public static readonly string Signs = new([
        .. Range(0, 0x1f).Where(c => c is not ('\t' or '\r' or '\n')),
        .. Range(0x7f, 0x9f),
        .. Range(0x2028, 0x202e),
        .. Range(0x2066, 0x2069),
    ]);

    /// <summary>Signs and length.</summary>
    public static readonly string Value = "\u001b]0;title\u0007\u001b[2J" + Signs + new string('x', 60_000) + "\u202eend";

    /// <summary>Reports what a terminal could obey in a line, or that it is too long.</summary>
    /// <param name="line">What would reach a terminal, without its end of line.</param>
    /// <returns>The fault, or null.</returns>
    public static string? FaultOf(string line)
    {
        int sign = line.IndexOfAny([.. Signs, '\r', '\n']);
        return sign >= 0 ? $"U+{(int)line[sign]:x4} is not escaped, behind {sign} characters"
            : line.Length > 4200 ? $"{line.Length} characters: {line.Substring(0, 200)}…"
            : null;
    }

    private static IEnumerable<char> Range(int first, int last) => Enumerable.Range(first, last - first + 1).Select(c => (char)c);
}
