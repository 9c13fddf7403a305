using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.MSBuild;

/// <summary>Finds the first of several texts, one after the other.</summary>
internal sealed class TextSearch
{
    private readonly string[] _values;

    public TextSearch(IEnumerable<string> values) => _values = [.. values.OrderByDescending(value => value.Length)];

    /// <returns>Where the first one stands from a place on; -1 nowhere.</returns>
    /// <param name="text">The text.</param>
    /// <param name="from">The place.</param>
    /// <param name="length">Its length: of several that begin there the longest.</param>
    public int IndexOf(string text, int from, out int length)
    {
        int first = -1;
        length = 0;
        foreach (string value in _values)
        {
            int count = first < 0 ? text.Length - from : Math.Min(text.Length - from, first - from + value.Length - 1);
            int at = count < value.Length ? -1 : text.IndexOf(value, from, count, StringComparison.Ordinal);
            if (at >= 0 && (first < 0 || at < first))
            {
                (first, length) = (at, value.Length);
            }
        }

        return first;
    }
}
