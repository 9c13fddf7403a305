using System;
using System.Security.Cryptography;

namespace Transport.Files;

/// <summary>The names of stagings beside a target NAME: <c>.NAME.</c> and 16 hex digits.</summary>
/// <remarks>
/// With <c>.old</c> appended it is the directory into which Portable moves what it replaces; see <see cref="ReplacedPath"/>.
/// </remarks>
internal static class StagingName
{
    private const int RandomBytes = 8;
    private const string ReplacedEnd = ".old";
    private const int LongestName = 255 - 2 - (2 * RandomBytes) - 4;

    /// <summary>Creates a random name for a new staging.</summary>
    /// <param name="name">The target's name.</param>
    public static string Create(string name)
    {
        byte[] random = new byte[RandomBytes];
        using var source = RandomNumberGenerator.Create();
        source.GetBytes(random);
        return Prefix(name) + BitConverter.ToString(random).Replace("-", string.Empty).ToLowerInvariant();
    }

    /// <summary>Returns the path of the directory for what a staging's content replaces.</summary>
    /// <param name="staging">The staging's path or name.</param>
    public static string ReplacedPath(string staging) => staging + ReplacedEnd;

    /// <summary>Checks whether a name is that of a directory for replaced content of this target.</summary>
    /// <param name="candidate">The name.</param>
    /// <param name="name">The target's name.</param>
    /// <param name="staging">The name of the staging it belongs to.</param>
    public static bool IsReplacedName(string candidate, string name, out string staging)
    {
        bool ends = candidate.EndsWith(ReplacedEnd, StringComparison.Ordinal);
        staging = ends ? candidate.Substring(0, candidate.Length - ReplacedEnd.Length) : string.Empty;
        return IsStagingName(staging, name);
    }

    /// <summary>Checks whether a name is that of a staging of this target.</summary>
    /// <param name="candidate">The name.</param>
    /// <param name="name">The target's name.</param>
    public static bool IsStagingName(string candidate, string name)
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

    /// <summary>
    /// Returns the start of all staging names of a target. The name is cut if it is too long; two targets that then share a start do no
    /// harm to each other, because only abandoned stagings are removed.
    /// </summary>
    private static string Prefix(string name)
    {
        string fitting = name;
        while (Utf8Names.Count(fitting.AsSpan()) > LongestName)
        {
            int last = fitting.Length - 1;
            bool isPair = last > 0 && char.IsLowSurrogate(fitting[last]) && char.IsHighSurrogate(fitting[last - 1]);
            fitting = fitting.Substring(0, isPair ? last - 1 : last);
        }

        return "." + fitting + ".";
    }
}
