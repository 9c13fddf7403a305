namespace Transport.Nats;

/// <summary>Whose word it takes for a packet to count as shipped.</summary>
public enum ShippedBy
{
    /// <summary>The receiver's: it has the packet on its disk.</summary>
    Receiver = 0,

    /// <summary>The server's. It acknowledges before it flushes its files, unless it is told otherwise: after a power cut of the server a
    /// packet that counts as shipped may be gone.</summary>
    Server = 1,
}
