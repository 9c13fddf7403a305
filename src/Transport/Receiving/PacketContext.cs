using System;
using System.Threading;

namespace Transport;

/// <summary>Where a packet came from, for its handler.</summary>
public readonly struct PacketContext
{
    private readonly ReceiveContext? _source;

    internal PacketContext(ReceiveContext? source, Lane lane)
    {
        _source = source;
        Lane = lane;
    }

    /// <summary>Gets what sends packets to the peer: the link that the packet came over.</summary>
    /// <exception cref="InvalidOperationException">The packet came over no link.</exception>
    public IPacketSender Link => Source.Sender;

    /// <summary>Gets the peer's name: that of its ticket if this side listened, else what the peer calls itself.</summary>
    /// <exception cref="InvalidOperationException">The packet came over no link.</exception>
    public string Node => Source.Node;

    /// <summary>Gets the lane that the packet came in.</summary>
    public Lane Lane { get; }

    /// <summary>Gets the time now, by the link's clock, in UTC.</summary>
    public DateTimeOffset Time => Source.Clock.GetUtcNow();

    /// <summary>Gets a token that is cancelled when the link ends, and no longer waits for its handlers.</summary>
    public CancellationToken CancellationToken => _source?.Ended ?? CancellationToken.None;

    private ReceiveContext Source => _source ?? throw new InvalidOperationException("This packet came over no link.");
}
