using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace BuildHarness.Display;

/// <summary>Text from elsewhere, made fit for a terminal or a log file: control characters but tab are escaped, so that no worker can move the cursor or forge a line.</summary>
internal static class OneLine
{
    private const int MostShown = 4096;

    /// <summary>Each line of a text, escaped.</summary>
    public static IEnumerable<string> Split(string text)
    {
        if (text.AsSpan().IndexOfAny('\r', '\n') < 0)
        {
            return [Escape(text)];
        }

        string[] lines = text.ReplaceLineEndings("\n").Split('\n');
        for (int i = 0; i < lines.Length; i++)
        {
            lines[i] = Escape(lines[i]);
        }

        return lines;
    }

    /// <summary>A line for a terminal: of one that is too long to be read, its beginning and how long it is.</summary>
    public static string Shorten(string line)
    {
        if (line.Length <= MostShown)
        {
            return line;
        }

        int kept = char.IsHighSurrogate(line[MostShown - 1]) ? MostShown - 1 : MostShown;
        return string.Create(CultureInfo.InvariantCulture, $"{line.AsSpan(0, kept)}… ({line.Length:N0} characters)");
    }

    public static string Escape(string text)
    {
        int first = 0;
        while (first < text.Length && !MustEscape(text[first]))
        {
            first++;
        }

        if (first == text.Length)
        {
            return text;
        }

        var escaped = new StringBuilder(text, 0, first, text.Length + 16);
        for (int i = first; i < text.Length; i++)
        {
            if (!MustEscape(text[i]))
            {
                escaped.Append(text[i]);
            }
            else
            {
                escaped.Append(CultureInfo.InvariantCulture, $"\\u{(int)text[i]:x4}");
            }
        }

        return escaped.ToString();
    }

    // Also the line and paragraph separators and the signs that turn the direction of text around.
    private static bool MustEscape(char c) => (char.IsControl(c) && c != '\t') || c is '\u2028' or '\u2029' or (>= '\u202a' and <= '\u202e') or (>= '\u2066' and <= '\u2069');
}
