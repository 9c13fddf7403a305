using BuildHarness.Packets;
using BuildHarness.Scheduling;
using Transport;

namespace BuildHarness.Building;

/// <summary>What builds requests, and says by <see cref="FleetNews"/> what it asks and what came of them.</summary>
/// <param name="id">The main node's name for it.</param>
internal abstract class BuildNode(string id)
{
    /// <summary>Gets the main node's name for it.</summary>
    public string Id { get; } = id;

    /// <summary>Gets where it builds, for people.</summary>
    public abstract string Where { get; }

    /// <summary>Sets what it is on, for people; null: nothing.</summary>
    public abstract string? Activity { set; }

    /// <summary>Gives it a request.</summary>
    public abstract void Give(ScheduledRequest request);

    /// <summary>Sends it a packet. Nothing is lost but with the node itself, whose end is the next that is heard of it.</summary>
    public abstract void Send<T>(PacketType<T> type, T packet);
}
