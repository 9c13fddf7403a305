namespace Transport;

/// <summary>How far each log level may fill the queue if its packets are dropped rather than refused: the least level goes first, and what
/// matters finds capacity last.</summary>
/// <remarks>
/// What is queued are bytes of many packets in one segment, of which none can be taken out again; so capacity for a packet of a higher
/// level is not made but kept.
/// </remarks>
internal static class LevelShares
{
    /// <summary>Gets the bytes that may be queued with a packet of a level: all of them for Error, Critical and what has no
    /// level.</summary>
    public static long Of(long limit, PacketLevel level) => level switch
    {
        PacketLevel.Trace => limit / 2,
        PacketLevel.Debug => limit / 10 * 6,
        PacketLevel.Information => limit / 4 * 3,
        PacketLevel.Warning => limit / 10 * 9,
        _ => limit,
    };
}
