namespace Transport;

/// <summary>Takes the packets of lanes whose policy is <see cref="LanePolicy.Spill"/>: it numbers them, and sends them at once or keeps them for later. Safe from any thread.</summary>
internal interface ISpill
{
    /// <summary>Takes a packet. Never waits.</summary>
    /// <returns>Queued: it will be sent, now or later; Full: it was not taken; Closed: none is any more.</returns>
    SendResult Send<T>(PacketType<T> type, T packet, Lane lane);

    /// <summary>Takes a packet that is bytes already.</summary>
    SendResult SendRaw(ushort type, System.ReadOnlySpan<byte> body, Lane lane);

    /// <summary>Hears up to where the peer has acknowledged what was sent in a lane. Rising within a link; on the link's own threads, so it must not wait.</summary>
    void Acknowledged(Lane lane, SpillNumber number);
}
