using BuildHarness.Building;
using BuildHarness.Packets;
using BuildHarness.Planning;

namespace BuildHarness.Farm;

/// <summary>One project on its way through the farm, from when it is given to whatever agent takes it.</summary>
/// <param name="id">The main node's name for it.</param>
/// <param name="home">What gives it.</param>
internal sealed class FarmNode(string id, FarmHome home) : BuildNode(id)
{
    private volatile string _where = "farm";   // set by the flow of its request, read by the main loop

    /// <inheritdoc/>
    public override string Where => _where;

    /// <inheritdoc/>
    public override void Give(PlannedProject project, OutputsWanted wanted) => home.Give(this, project);

    /// <summary>Notes who has it.</summary>
    public void At(string where) => _where = where;
}
