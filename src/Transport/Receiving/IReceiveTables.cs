namespace Transport;

/// <summary>What the peer has put into this side's tables, lane by lane. On the receive thread.</summary>
internal interface IReceiveTables
{
    /// <summary>Checks a packet's body.</summary>
    /// <returns>The packet, with the tables that its references are to.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it is not one valid value, or refers to what was
    /// never set.</exception>
    RawPacket Check(in RawPacket packet);

    /// <summary>Lets a reader of the packet follow references, and find out if one leads nowhere.</summary>
    RawPacket Attach(in RawPacket packet);

    /// <summary>Takes one of the tables' own packets; checked.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: another shape, more than a table may hold, or not
    /// agreed on.</exception>
    void Take(in RawPacket packet);

    /// <summary>Forgets all of them: the link is over.</summary>
    void Clear();
}
