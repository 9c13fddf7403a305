using Transport.Links;
using Transport.Packets;
using Transport.Sending;

namespace Transport.Logging;

/// <summary>Where a provider's events go: a link, or a test's list.</summary>
internal interface ILogSink
{
    /// <summary>Gets the least level wanted, 0 to 6; may change at any time.</summary>
    int Level { get; }

    /// <summary>Takes an event or says why not; never blocks.</summary>
    SendResult Send(LogEvent packet, Lane lane);
}

/// <summary>The link of a worker.</summary>
internal sealed class LinkLogSink(Link link) : ILogSink
{
    public int Level => link.Level;

    public SendResult Send(LogEvent packet, Lane lane) => link.Send(LogPackets.Event, packet, lane, LanePolicy.Drop);
}
