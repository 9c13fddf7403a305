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

    /// <summary>More values than any environment has, and few enough to look for.</summary>
    private const int MostValues = 1000;

    private static readonly char[] LineEnds = ['\r', '\n'];

    private readonly HashSet<string> _values = new(StringComparer.Ordinal);
    private TextSearch? _search;

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
            foreach (string line in value.Split(LineEnds))
            {
                AddOne(line.Trim());
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

        _search ??= new TextSearch(_values);
        int at = _search.IndexOf(text, 0, out int length);
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

            at = _search.IndexOf(text, Math.Max(done, at + 1), out length);
        }

        return done == 0 ? text : masked.Append(text, done, text.Length - done).ToString();
    }

    private void AddOne(string value)
    {
        if (value.Length >= ShortestValue && _values.Count < MostValues && _values.Add(value))
        {
            _search = null;
        }
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
