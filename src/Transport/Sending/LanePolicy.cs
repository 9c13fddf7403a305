namespace Transport;

/// <summary>What a lane does with a packet that finds no capacity. The send never waits; it answers Full.</summary>
public enum LanePolicy
{
    /// <summary>The packet is the caller's again: nothing is lost unless the caller lets go of it. Not counted as dropped.</summary>
    Refuse = 0,

    /// <summary>
    /// The packet is given up: counted by its log level, and reported to the peer (Dropped) before the lane's next packet and before
    /// Goodbye. The least level goes first: what has a level (<c>PacketType.Level</c>) finds capacity only as long as with it no more is
    /// queued than a share of <c>LinkOptions.MaxQueuedBytes</c>: 50 % for Trace, 60 % for Debug, 75 % for Information, 90 % for Warning,
    /// all of it for Error, Critical and packets without a level. An empty queue takes any packet.
    /// </summary>
    Drop = 1,
}
