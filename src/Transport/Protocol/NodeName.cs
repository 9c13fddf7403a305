using System;

namespace Transport;

/// <summary>The rule for node names (PROTOCOL.md, Hello).</summary>
internal static class NodeName
{
    /// <exception cref="ArgumentException">It is null or cannot be used.</exception>
    public static void Check(string? name, string parameter)
    {
        if (!IsValid(name))
        {
            throw name is null ? new ArgumentNullException(parameter) : new ArgumentException(
                $"The node name \"{TerminalText.Line(name, 100)}\" cannot be used; allowed: 1 to 64 characters of A-Z a-z 0-9 . _ -",
                parameter);
        }
    }

    public static bool IsValid(string? name)
    {
        if (name is not { Length: >= 1 and <= 64 })
        {
            return false;
        }

        foreach (char c in name)
        {
            if (c is not ((>= 'A' and <= 'Z') or (>= 'a' and <= 'z') or (>= '0' and <= '9') or '.' or '_' or '-'))
            {
                return false;
            }
        }

        return true;
    }
}
