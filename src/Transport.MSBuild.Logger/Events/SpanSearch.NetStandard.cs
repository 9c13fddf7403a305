using System;

namespace Transport.MSBuild;

/// <summary>Searches that .NET has as methods of spans.</summary>
internal static class SpanSearch
{
    public static int IndexOfAnyInRange(this ReadOnlySpan<char> text, char first, char last)
    {
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] >= first && text[i] <= last)
            {
                return i;
            }
        }

        return -1;
    }
}
