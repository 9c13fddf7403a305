using System;
using System.Collections.Generic;
using System.Globalization;

namespace Transport.Tool;

/// <summary>Orders names of nodes as people do: n2 before n10.</summary>
internal sealed class NodeOrder : IComparer<string>
{
    public static NodeOrder Instance { get; } = new();

    public int Compare(string? x, string? y)
    {
        int order = string.Compare(x, y, CultureInfo.InvariantCulture, CompareOptions.NumericOrdering);
        return order != 0 ? order : StringComparer.Ordinal.Compare(x, y);
    }
}
