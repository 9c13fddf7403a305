using System;

namespace Transport.Nats;

/// <summary>Where a shipper stands. A snapshot.</summary>
public sealed record ShipperStatus
{
    /// <summary>Gets the journal's id; <see cref="Guid.Empty"/> as long as it has no packet.</summary>
    public Guid Journal { get; init; }

    /// <summary>Gets the position up to which the journal was read.</summary>
    public long Read { get; init; }

    /// <summary>Gets the position up to which the server has acknowledged.</summary>
    public long Published { get; init; }

    /// <summary>Gets the position up to which the receiver has all on its disk that came to it, as it says; 0 as long as it has said
    /// nothing. What did not come: <see cref="MissedByReceiver"/>.</summary>
    public long Received { get; init; }

    /// <summary>Gets the bytes of packets that were read and are not acknowledged by the server. What the journal holds beyond
    /// <see cref="Read"/> is not counted.</summary>
    public long WaitingBytes { get; init; }

    /// <summary>Gets how long the oldest of those packets has been in the journal; zero if there is none.</summary>
    public TimeSpan Lag { get; init; }

    /// <summary>Gets how many blocks the server has acknowledged.</summary>
    public long Blocks { get; init; }

    /// <summary>Gets how many positions the journal had dropped before they were shipped; not each of them is a packet.</summary>
    public long Missed { get; init; }

    /// <summary>Gets how many positions up to <see cref="Received"/> never came to the receiver, as it said when the shipper last began
    /// anew, had answered its question, or ended: the journal had dropped them (<see cref="Missed"/>), or the receiver gave them up after
    /// <see cref="ReceiverOptions.GapPatience"/>. Not each of them is a packet. Its file <c>origin</c> names them.</summary>
    public long MissedByReceiver { get; init; }

    /// <summary>Gets why nothing is shipped at the moment; null if it is.</summary>
    public string? Problem { get; init; }
}
