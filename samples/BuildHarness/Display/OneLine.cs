using System;
using System.Collections.Generic;
using Transport;

namespace BuildHarness.Display;

/// <summary>
/// Text from elsewhere as lines: escaped by <see cref="TerminalText"/>, so that no worker can move the cursor or forge a line. Whoever
/// shows a line also cuts it.
/// </summary>
internal static class OneLine
{
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

    public static string Escape(string text) => TerminalText.Escape(text);
}
