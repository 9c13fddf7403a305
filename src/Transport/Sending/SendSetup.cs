using System;

namespace Transport;

/// <summary>What one direction of a link is made with.</summary>
/// <param name="Budget">How many bytes may wait to be written.</param>
internal sealed record SendSetup(ByteBudget Budget)
{
    /// <summary>Gets what becomes of urgent packets that find no capacity.</summary>
    public LanePolicy Urgent { get; init; }

    /// <summary>Gets the same of normal ones.</summary>
    public LanePolicy Normal { get; init; }

    /// <summary>Gets the same of bulk ones.</summary>
    public LanePolicy Bulk { get; init; }

    /// <summary>Gets the most body bytes that a packet may have: what the peer takes.</summary>
    public long MaxBody { get; init; } = long.MaxValue;

    /// <summary>Gets what makes the tables of a lane, for packets whose type asks for them; null: there are none.</summary>
    public Func<Lane, IPacketTables>? Tables { get; init; }

    /// <summary>Gets what gives who hears of a lane's packets; null: nobody does.</summary>
    public Func<Lane, ILaneObserver>? Observer { get; init; }

    /// <summary>Gets the peer's packets that count as handled for it, and were not: each Ack says how many.</summary>
    public MissCounts Misses { get; init; } = new();
}
