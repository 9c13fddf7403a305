using System;

namespace Transport.Logging;

/// <summary>Where a provider's events go: a sender of packets, or a test's list.</summary>
internal interface ILogSink
{
    /// <summary>Gets which events are wanted; another object after each change.</summary>
    LevelRules Levels { get; }

    /// <summary>Takes an event or says why not; without capacity it blocks for <paramref name="wait"/>.</summary>
    SendResult Send(LogEvent packet, Lane lane, TimeSpan wait);
}

/// <summary>The link of a worker, or another sender of packets.</summary>
internal sealed class LinkLogSink(IPacketSender sender) : ILogSink
{
    public LevelRules Levels => sender.Levels;

    /// <inheritdoc/>
    /// <remarks>A logger gives an event up that finds no capacity: it is counted as dropped, not as answered Full.</remarks>
    public SendResult Send(LogEvent packet, Lane lane, TimeSpan wait) =>
        wait != TimeSpan.Zero && sender.Send(LogEvent.PacketType, packet, wait, lane) is var result and not SendResult.Full ? result
            : sender.TrySend(LogEvent.PacketType, packet, lane, LanePolicy.Drop);
}
