using BuildHarness.Building;
using BuildHarness.Packets;
using BuildHarness.Scheduling;
using Transport;

namespace BuildHarness.Farm;

/// <summary>A worker that an agent lends to the build. Safe from any thread.</summary>
/// <param name="id">The main node's name for it.</param>
internal sealed class FarmNode(string id) : BuildNode(id)
{
    private volatile string _where = "farm";   // set by the flow of its letters, read by the main loop
    private volatile FarmPost? _post;           // likewise, before the main loop hears of it

    /// <inheritdoc/>
    public override string Where => _where;

    /// <inheritdoc/>
    public override string? Activity
    {
        set
        {
            // Its exit report is its agent's.
        }
    }

    /// <summary>Notes who has lent it.</summary>
    public void At(string where, FarmPost post) => (_where, _post) = (where, post);

    /// <inheritdoc/>
    public override void Give(ScheduledRequest request) => Send(BuildProject.PacketType, request.ToPacket());

    /// <inheritdoc/>
    public override void Send<T>(PacketType<T> type, T packet) => _post!.Send(type, packet);
}
