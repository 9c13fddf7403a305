namespace Transport;

/// <summary>How far each log level may fill the queue where its packets are dropped rather than refused: the least level goes first, and what matters finds room last.</summary>
/// <remarks>
/// What is queued are bytes of many packets in one segment, of which none can be taken out again; so room for a packet of a higher level is not made but kept.
/// </remarks>
internal static class LevelShares
{
    /// <summary>Gets the bytes that may be queued with a packet of a level: all of them for Error, Critical and what has no level.</summary>
    public static long Of(long limit, int level) => level switch
    {
        0 => limit / 2,         // Trace
        1 => limit / 10 * 6,    // Debug
        2 => limit / 4 * 3,     // Information
        3 => limit / 10 * 9,    // Warning
        _ => limit,
    };
}
