namespace Transport;

/// <summary>The rule for node names (PROTOCOL.md, Hello).</summary>
internal static class NodeName
{
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
