using System.Globalization;
using System.Text;

namespace Transport.Logging;

/// <summary>Cuts texts into lines, puts the same prefix before each, and shows control characters, and those that turn lines around, instead of sending them to a terminal.</summary>
internal sealed class LinePrefixer(StringBuilder output, string newLine)
{
    private readonly StringBuilder _prefix = new();

    /// <summary>Sets the prefix of the lines to come: <c>node word: </c> or <c>node word detail: </c>.</summary>
    public void Begin(string node, string word, string? detail)
    {
        _prefix.Clear();
        AppendShown(_prefix, node, 0, node.Length);
        _prefix.Append(' ').Append(word);
        if (detail is not null)
        {
            _prefix.Append(' ');
            AppendShown(_prefix, detail, 0, detail.Length);
        }

        _prefix.Append(": ");
    }

    /// <summary>Adds every line of a text. LF and CR LF end a line; an end at the very end of the text begins no further one.</summary>
    public void Add(string text)
    {
        int start = 0;
        do
        {
            int end = text.IndexOf('\n', start);
            int next = end < 0 ? text.Length : end + 1;
            int stop = end < 0 ? text.Length : end > start && text[end - 1] == '\r' ? end - 1 : end;
            AppendPrefix();
            AppendShown(output, text, start, stop);
            output.Append(newLine);
            start = next;
        }
        while (start < text.Length);
    }

    private static void AppendShown(StringBuilder to, string text, int start, int stop)
    {
        int sound = start;
        for (int i = start; i < stop; i++)
        {
            char c = text[i];
            if (MustShow(c))
            {
                to.Append(text, sound, i - sound).Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                sound = i + 1;
            }
        }

        to.Append(text, sound, stop - sound);
    }

    // Control characters but tab; the line and paragraph separators; the signs that turn the direction of text around.
    private static bool MustShow(char c) =>
        (c < ' ' && c != '\t') || (c >= '\u007f' && c < '\u00a0')
        || (c >= '\u2028' && c <= '\u202e') || (c >= '\u2066' && c <= '\u2069');

    // StringBuilder.Append(StringBuilder) goes through ToString on the old frameworks.
    private void AppendPrefix()
    {
        for (int i = 0; i < _prefix.Length; i++)
        {
            output.Append(_prefix[i]);
        }
    }
}
