namespace Transport;

/// <summary>Takes a packet of which only the interface was known, with its type.</summary>
internal interface IPacketVisitor<out TResult>
{
    /// <summary>Takes the packet.</summary>
    TResult Visit<T>(PacketType<T> type, T packet);
}
