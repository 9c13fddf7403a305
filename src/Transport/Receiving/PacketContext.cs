using System;
using System.Threading;

namespace Transport;

/// <summary>Where a packet came from, for its handler.</summary>
public readonly struct PacketContext
{
    private readonly ReceiveContext? _source;
    private readonly long _deadline;   // ticks of UTC; 0: none

    /// <summary>Initializes a new instance of the <see cref="PacketContext"/> struct, for tests of handlers: a link makes its
    /// own.</summary>
    /// <param name="sender">What <see cref="Sender"/> returns, such as a fake that records what is sent.</param>
    /// <param name="node">The peer's name.</param>
    /// <param name="lane">The lane; Normal by default.</param>
    /// <param name="clock">The clock of <see cref="Now"/>; null (default): the system's.</param>
    /// <param name="cancellationToken">What <see cref="CancellationToken"/> returns.</param>
    /// <param name="deadline">What <see cref="Deadline"/> returns; null by default.</param>
    /// <exception cref="ArgumentNullException"><paramref name="sender"/> or <paramref name="node"/> is null.</exception>
    public PacketContext(
        IPacketSender sender, string node, Lane lane = Lane.Normal, TimeProvider? clock = null,
        CancellationToken cancellationToken = default, DateTimeOffset? deadline = null)
        : this(new ReceiveContext(ArgumentGuard.NotNull(sender, nameof(sender)), ArgumentGuard.NotNull(node, nameof(node)),
            clock ?? TimeProvider.System, cancellationToken), lane, deadline)
    {
    }

    internal PacketContext(ReceiveContext? source, Lane lane, DateTimeOffset? deadline = null)
    {
        _source = source;
        _deadline = deadline?.UtcTicks ?? 0;
        Lane = lane;
    }

    /// <summary>Gets the sender of packets to the peer: the link that the packet came over.</summary>
    /// <exception cref="InvalidOperationException">The packet came over no link.</exception>
    public IPacketSender Sender => Source.Sender;

    /// <summary>Gets the peer's name: that of its ticket if this side listened, else what the peer calls itself.</summary>
    /// <exception cref="InvalidOperationException">The packet came over no link.</exception>
    public string Node => Source.Node;

    /// <summary>Gets the lane that the packet came in.</summary>
    public Lane Lane { get; }

    /// <summary>Gets the time now, by the link's clock, in UTC.</summary>
    public DateTimeOffset Now => Source.Clock.GetUtcNow();

    /// <summary>Gets when the caller of a request gives up, by the link's clock, in UTC; null for a packet, and for a request without a
    /// timeout. A handler that makes requests itself may pass on what is left. <see cref="CancellationToken"/> is cancelled then.</summary>
    public DateTimeOffset? Deadline => _deadline == 0 ? null : new DateTimeOffset(_deadline, TimeSpan.Zero);

    /// <summary>Gets a token that is cancelled when the link ends, and no longer waits for its handlers; for a request also when its caller
    /// cancels it, or gives up.</summary>
    public CancellationToken CancellationToken => _source?.CancellationToken ?? CancellationToken.None;

    /// <summary>Returns the peer's name and the lane.</summary>
    public override string ToString() => $"from {_source?.Node ?? "no link"}, lane {Lane}";

    internal ReceiveContext? Receiving => _source;

    private ReceiveContext Source => _source ?? throw new InvalidOperationException("This packet came over no link.");
}
