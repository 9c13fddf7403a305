using System.Text;

namespace Transport.Logging;

/// <summary>
/// Cuts texts into lines, puts the same prefix before each, and makes each fit for a terminal (<see cref="TerminalText"/>).
/// </summary>
internal sealed class LinePrefixer(StringBuilder output, string newLine)
{
    private string _prefix = string.Empty;

    /// <summary>Gets or sets how many characters of a line are shown.</summary>
    public int MaxLength { get; set; } = TerminalText.MaxLength;

    /// <summary>Sets the prefix of the lines to come: <c>node word: </c> or <c>node word detail: </c>.</summary>
    public void Begin(string node, string word, string? detail)
    {
        string prefix = detail is null ? $"{node} {word}: " : $"{node} {word} {detail}: ";

        // Before every line of a text of many.
        _prefix = TerminalText.Line(prefix, MaxLength / 4);
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
            string line = TerminalText.Line(text.Substring(start, stop - start), MaxLength - _prefix.Length);
            output.Append(_prefix).Append(line).Append(newLine);
            start = next;
        }
        while (start < text.Length);
    }
}
