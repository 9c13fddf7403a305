namespace Transport;

/// <summary>What the references of a body stand for.</summary>
internal abstract class TableSource
{
    /// <summary>Finds a text.</summary>
    /// <returns>The text, the same object each time; null where the id was never set.</returns>
    public abstract string? TextOf(uint id);

    /// <summary>Finds a map.</summary>
    /// <returns>The map; null where the id was never set.</returns>
    public abstract TableMap? MapOf(uint id);

    /// <summary>The fault of a reference that cannot be followed.</summary>
    public static TransportException Unset(int offset, in TableRef reference)
    {
        string kind = reference.Type == TableTypes.StringRef ? "string" : "map";
        return MessagePackFault.Wrong(
            offset,
            $"a reference to an entry of the {kind} table that was set before",
            reference.Size == 0 ? "one whose id has not 1, 2 or 4 bytes" : $"id {reference.Id}");
    }
}
