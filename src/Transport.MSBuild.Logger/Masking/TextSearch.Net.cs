using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;

namespace Transport.MSBuild;

/// <summary>Finds the first of several texts, all at once.</summary>
internal sealed class TextSearch
{
    private readonly string[] _values;
    private readonly SearchValues<string> _any;

    public TextSearch(IEnumerable<string> values)
    {
        _values = [.. values.OrderByDescending(value => value.Length)];
        _any = SearchValues.Create(_values, StringComparison.Ordinal);
    }

    /// <returns>Where the first one stands from a place on; -1 nowhere.</returns>
    /// <param name="text">The text.</param>
    /// <param name="from">The place.</param>
    /// <param name="length">Its length: of several that begin there the longest.</param>
    public int IndexOf(string text, int from, out int length)
    {
        length = 0;
        int at = text.AsSpan(from).IndexOfAny(_any);
        if (at < 0)
        {
            return -1;
        }

        at += from;
        ReadOnlySpan<char> rest = text.AsSpan(at);
        foreach (string value in _values)
        {
            if (rest.StartsWith(value, StringComparison.Ordinal))
            {
                length = value.Length;
                break;
            }
        }

        return at;
    }
}
