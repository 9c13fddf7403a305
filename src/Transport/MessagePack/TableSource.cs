namespace Transport;

/// <summary>What the references of a body stand for.</summary>
internal abstract class TableSource
{
    /// <summary>Finds a text.</summary>
    /// <returns>The text, the same object each time; null if the id was never set.</returns>
    public abstract string? TextOf(uint id);

    /// <summary>Finds a map.</summary>
    /// <returns>The map; null if the id was never set.</returns>
    public abstract TableMap? MapOf(uint id);

    /// <summary>Finds the map that a reference stands for.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the id was never set.</exception>
    public TableMap MapAt(int offset, in TableRef reference) => MapOf(reference.Id) ?? throw Unset(offset, reference);

    /// <summary>Finds a map that is read anew for one reference; a map holds none.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the id was never set, or the packet reads too
    /// many bytes this way.</exception>
    public virtual TableMap MapToCopy(int offset, in TableRef reference) => MapAt(offset, reference);

    /// <summary>Makes the fault of a map that is not what the packet's field needs. The byte that the inner fault names is one of the map.
    /// </summary>
    public static TransportException Unfit(int offset, in TableRef reference, TransportException fault) =>
        MessagePackFault.Wrong(offset, "another map in the link's table", $"map {reference.Id}: {fault.Message.TrimEnd('.')}");

    /// <summary>The fault of a reference that cannot be followed.</summary>
    public static TransportException Unset(int offset, in TableRef reference)
    {
        string kind = reference.Type == TableRef.String ? "string" : "map";
        return MessagePackFault.Wrong(
            offset,
            $"a reference to an entry of the {kind} table that was set before",
            reference.Size == 0 ? "one whose id has not 1, 2 or 4 bytes" : $"id {reference.Id}");
    }
}
