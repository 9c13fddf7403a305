namespace Transport.Logging;

/// <summary>Where a provider's events go: a sender of packets, or a test's list.</summary>
internal interface ILogSink
{
    /// <summary>Gets the least level wanted; may change at any time.</summary>
    PacketLevel Level { get; }

    /// <summary>Takes an event or says why not; blocks only if <paramref name="overflow"/> says to wait.</summary>
    SendResult Send(LogEvent packet, Lane lane, LogOverflow overflow);
}

/// <summary>The link of a worker, or another sender of packets.</summary>
internal sealed class LinkLogSink(IPacketSender sender) : ILogSink
{
    public PacketLevel Level => sender.Level;

    public SendResult Send(LogEvent packet, Lane lane, LogOverflow overflow) => overflow == LogOverflow.Drop
        ? sender.TrySend(LogPackets.Event, packet, lane, LanePolicy.Drop)
        : sender.Send(LogPackets.Event, packet, overflow.Timeout, lane);
}
