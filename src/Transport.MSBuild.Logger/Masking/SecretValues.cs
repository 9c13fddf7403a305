using System;
using System.Collections.Generic;
using System.Text;

namespace Transport.MSBuild;

/// <summary>The secrets that are known so far, and texts without them. One thread.</summary>
internal sealed class SecretValues
{
    /// <summary>What stands in place of a secret.</summary>
    public const string Mask = "***";

    /// <summary>A shorter value (true, Release, net10.0) stands in too many other places.</summary>
    public const int ShortestValue = 8;

    /// <summary>How much is looked for: the characters of whole values, in each of their spellings, and the lines of those that have
    /// several.</summary>
    private const int MostChars = 4 << 20, MostLines = 8192;

    /// <summary>So many new values are looked for one by one; more are worth another search of all.</summary>
    private const int MostRecent = 32;

    private delegate int Finder(string text, int from, out int length);

    private static readonly char[] LineEnds = ['\r', '\n'];

    private readonly HashSet<string> _values = new(StringComparer.Ordinal);
    private readonly List<string> _recent = [];   // those of them that the search does not have
    private TextSearch? _search;
    private int _chars, _lines;

    /// <summary>Gets how many values, or lines of values, are not looked for because there are too many.</summary>
    public int Overflow { get; private set; }

    /// <summary>Takes a value in, also as MSBuild and an address write it; of one with several lines each long one by itself too.</summary>
    public void Add(string? value)
    {
        if (value is null || value.Length < ShortestValue || _values.Contains(value))
        {
            return;
        }

        AddOne(value);
        AddOne(MSBuildText(value));
        AddOne(Uri.EscapeDataString(value.Length <= 4096 ? value : value.Substring(0, 4096)));
        if (value.IndexOfAny(LineEnds) >= 0)
        {
            // Behind the whole values of others: a credential of a thousand lines takes nobody's place.
            foreach (string line in value.Split(LineEnds))
            {
                AddLine(line.Trim());
            }
        }
    }

    /// <summary>Replaces every known secret that stands as a whole word: nothing that it could be a part of begins before it or goes on
    /// behind it.</summary>
    /// <returns>The same text if it has none.</returns>
    public string Without(string text)
    {
        if (_values.Count == 0 || text.Length < ShortestValue)
        {
            return text;
        }

        Merge();
        return Replaced(text, IndexOf);
    }

    /// <summary>Replaces one value, a short one too, where it stands as a whole word.</summary>
    /// <returns>The same text if it has none.</returns>
    public static string Without(string text, string value) => Replaced(text, (string all, int from, out int length) =>
    {
        length = value.Length;
        return all.IndexOf(value, from, StringComparison.Ordinal);
    });

    private static string Replaced(string text, Finder indexOf)
    {
        int at = indexOf(text, 0, out int length);
        if (at < 0)
        {
            return text;
        }

        var masked = new StringBuilder(text.Length);
        int done = 0;
        while (at >= 0)
        {
            if (IsWhole(text, at, length))
            {
                masked.Append(text, done, at - done).Append(Mask);
                done = at + length;
            }

            at = indexOf(text, Math.Max(done, at + 1), out length);
        }

        return done == 0 ? text : masked.Append(text, done, text.Length - done).ToString();
    }

    private void AddLine(string line)
    {
        if (line.Length < ShortestValue || _values.Contains(line))
        {
            return;
        }

        if (_lines == MostLines)
        {
            Overflow++;
            return;
        }

        _lines++;
        AddOne(line);
    }

    private void AddOne(string value)
    {
        if (value.Length < ShortestValue || _values.Contains(value))
        {
            return;
        }

        if (value.Length > MostChars - _chars)
        {
            Overflow++;
            return;
        }

        _chars += value.Length;
        _ = _values.Add(value);
        _recent.Add(value);
    }

    /// <summary>A search of all is made anew for many values at once: a build may name a secret in each of hundreds of events.</summary>
    private void Merge()
    {
        if (_search is null || _recent.Count > MostRecent)
        {
            _search = new TextSearch(_values);
            _recent.Clear();
        }
    }

    /// <summary>The first of all values from a place on; of several that begin there the longest.</summary>
    private int IndexOf(string text, int from, out int length)
    {
        int first = _search!.IndexOf(text, from, out length);
        foreach (string value in _recent)
        {
            int at = text.IndexOf(value, from, StringComparison.Ordinal);
            if (at >= 0 && (first < 0 || at < first || (at == first && value.Length > length)))
            {
                (first, length) = (at, value.Length);
            }
        }

        return first;
    }

    private static bool IsWhole(string text, int start, int length)
    {
        int end = start + length;
        return !(start > 0 && char.IsLetterOrDigit(text[start - 1]) && char.IsLetterOrDigit(text[start]))
            && !(end < text.Length && char.IsLetterOrDigit(text[end]) && char.IsLetterOrDigit(text[end - 1]));
    }

    /// <summary>As MSBuild escapes what its own syntax uses (Microsoft.Build.Shared.EscapingUtilities).</summary>
    private static string MSBuildText(string value)
    {
        var escaped = new StringBuilder(value.Length);
        foreach (char c in value)
        {
            _ = c is '%' or '*' or '?' or '@' or '$' or '(' or ')' or ';' or '\''
                ? escaped.Append('%').Append(((int)c).ToString("x2", System.Globalization.CultureInfo.InvariantCulture))
                : escaped.Append(c);
        }

        return escaped.ToString();
    }
}
