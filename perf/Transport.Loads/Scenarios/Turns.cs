using System.Collections.Generic;
using System.Linq;

namespace Transport.Loads.Scenarios;

/// <summary>Who runs first in a round: each column in its turn, so that none always comes after the same other one.</summary>
internal static class Turns
{
    public static string[] Rotated(IEnumerable<string> columns, int round)
    {
        string[] all = [.. columns];
        return [.. all.Skip(round % all.Length), .. all.Take(round % all.Length)];
    }
}
