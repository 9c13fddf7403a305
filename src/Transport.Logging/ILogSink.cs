namespace Transport.Logging;

/// <summary>Where a provider's events go: a link, or a test's list.</summary>
internal interface ILogSink
{
    /// <summary>Gets the least level wanted, 0 to 6; may change at any time.</summary>
    int Level { get; }

    /// <summary>Takes an event or says why not; blocks only if <paramref name="overflow"/> says to wait.</summary>
    SendResult Send(LogEvent packet, Lane lane, LogOverflow overflow);
}

/// <summary>The link of a worker.</summary>
internal sealed class LinkLogSink(Link link) : ILogSink
{
    public int Level => link.Level;

    public SendResult Send(LogEvent packet, Lane lane, LogOverflow overflow) => overflow == LogOverflow.Drop
        ? link.TrySend(LogPackets.Event, packet, lane, LanePolicy.Drop)
        : link.SendWait(LogPackets.Event, packet, overflow.Timeout, lane);
}
