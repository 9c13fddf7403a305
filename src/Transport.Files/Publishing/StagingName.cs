using System;
using System.Security.Cryptography;

namespace Transport.Files;

/// <summary>
/// The names of stagings: <c>.NAME.</c> and 16 hex digits, beside the target NAME. With <c>.old</c> behind it, the name of the folder in
/// which a run by paths puts what it takes away from the target; see <see cref="ReplacedContent"/>.
/// </summary>
internal static class StagingName
{
    private const int RandomBytes = 8;
    private const string ReplacedEnd = ".old";
    private const int LongestName = 255 - 2 - (2 * RandomBytes) - 4;

    /// <summary>What all stagings of a target begin with. A target whose name is too long for this is cut; what two such targets then share is harmless, because only dead stagings are removed.</summary>
    public static string Prefix(string name)
    {
        string fitting = name;
        while (Utf8Names.Count(fitting.AsSpan()) > LongestName)
        {
            fitting = fitting.Substring(0, fitting.Length - (char.IsLowSurrogate(fitting[fitting.Length - 1]) && fitting.Length > 1 && char.IsHighSurrogate(fitting[fitting.Length - 2]) ? 2 : 1));
        }

        return "." + fitting + ".";
    }

    public static string New(string name)
    {
        byte[] random = new byte[RandomBytes];
        using var source = RandomNumberGenerator.Create();
        source.GetBytes(random);
        return Prefix(name) + BitConverter.ToString(random).Replace("-", string.Empty).ToLowerInvariant();
    }

    /// <summary>The folder for what a staging's content replaces.</summary>
    public static string Replaced(string staging) => staging + ReplacedEnd;

    /// <summary>Whether a name is that of such a folder of this target.</summary>
    public static bool FitsReplaced(string candidate, string name, out string staging)
    {
        bool ends = candidate.EndsWith(ReplacedEnd, StringComparison.Ordinal);
        staging = ends ? candidate.Substring(0, candidate.Length - ReplacedEnd.Length) : string.Empty;
        return Fits(staging, name);
    }

    /// <summary>Whether a name is one of this target's stagings.</summary>
    public static bool Fits(string candidate, string name)
    {
        string prefix = Prefix(name);
        if (candidate.Length != prefix.Length + (2 * RandomBytes) || !candidate.StartsWith(prefix, StringComparison.Ordinal))
        {
            return false;
        }

        foreach (char c in candidate.Substring(prefix.Length))
        {
            if (c is not ((>= '0' and <= '9') or (>= 'a' and <= 'f')))
            {
                return false;
            }
        }

        return true;
    }
}
