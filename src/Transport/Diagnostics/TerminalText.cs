using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Transport;

/// <summary>
/// Makes a text from elsewhere (a peer, an archive, a file name) fit for a line of a terminal: the text cannot move the cursor, forge a
/// line or fill the screen.
/// </summary>
/// <remarks>Safe from any thread. A text that has been through it once does not change any more.</remarks>
public static class TerminalText
{
    /// <summary>The number of characters of a line that are shown by default.</summary>
    public const int MaxLength = 4096;

    /// <summary>A cut that saves less than its own mark is not made; so a line that was cut is not cut again.</summary>
    private const int Mark = 64;

    /// <summary>Escapes what a terminal obeys or what turns text around.</summary>
    /// <param name="text">The text.</param>
    /// <returns>
    /// The text with C0 (but tab), DEL, C1, the line and paragraph separators and the signs that override the direction of text as
    /// <c>\u001b</c>, and halves of a surrogate pair likewise (a byte of a file's name that is no UTF-8 is one); the same object if it has
    /// none.
    /// </returns>
    public static string Escape(string text)
    {
        if (text is null)
        {
            throw new ArgumentNullException(nameof(text));
        }

        int first = 0;
        while (first < text.Length && !MustEscape(text, first))
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
            if (MustEscape(text, i))
            {
                escaped.Append("\\u").Append(((int)text[i]).ToString("x4", CultureInfo.InvariantCulture));
            }
            else
            {
                escaped.Append(text[i]);
            }
        }

        return escaped.ToString();
    }

    /// <summary>
    /// Makes one line of a text: escaped, and of a long one the beginning and the end, with how many characters were cut out between them.
    /// </summary>
    /// <param name="text">The text; line ends in it are escaped too.</param>
    /// <param name="maxLength">How many characters of it to show; from 16. The note of what was cut comes on top.</param>
    /// <returns>The line, without an end of line; the same object if nothing had to be changed.</returns>
    public static string Line(string text, int maxLength = MaxLength)
    {
        string line = Escape(text);
        int shown = Math.Max(16, maxLength);
        if (line.Length - Mark <= shown)
        {
            return line;
        }

        int head = shown - (shown / 4), tail = line.Length - (shown / 4);
        head -= char.IsHighSurrogate(line[head - 1]) ? 1 : 0;
        tail += char.IsLowSurrogate(line[tail]) ? 1 : 0;
        string cut = string.Format(CultureInfo.InvariantCulture, "… ({0:N0} characters cut) …", tail - head);
        return line.Substring(0, head) + cut + line.Substring(tail);
    }

    /// <summary>Splits a text into lines, each escaped; code that shows one also cuts it (<see cref="Line"/>).</summary>
    /// <param name="text">The text; CR LF, LF and CR end a line.</param>
    /// <returns>The lines, at least one, which may be empty.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="text"/> is null.</exception>
    public static IReadOnlyList<string> Lines(string text)
    {
        if (text is null)
        {
            throw new ArgumentNullException(nameof(text));
        }

        string[] lines = text.IndexOfAny(['\r', '\n']) < 0 ? [text] : text.Replace("\r\n", "\n").Split('\r', '\n');
        for (int i = 0; i < lines.Length; i++)
        {
            lines[i] = Escape(lines[i]);
        }

        return lines;
    }

    private static bool MustEscape(string text, int at)
    {
        char c = text[at];
        if (char.IsSurrogate(c))
        {
            return char.IsHighSurrogate(c) ? at + 1 == text.Length || !char.IsLowSurrogate(text[at + 1])
                : at == 0 || !char.IsHighSurrogate(text[at - 1]);
        }

        return (c < ' ' && c != '\t') || (c >= '\u007f' && c < '\u00a0')
            || (c >= '\u2028' && c <= '\u202e') || (c >= '\u2066' && c <= '\u2069');
    }
}
