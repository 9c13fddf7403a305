using BuildHarness.Packets;
using BuildHarness.Planning;

namespace BuildHarness.Building;

/// <summary>What builds one project at a time, and says by <see cref="FleetNews"/> what came of it.</summary>
/// <param name="id">The main node's name for it.</param>
internal abstract class BuildNode(string id)
{
    /// <summary>Gets the main node's name for it.</summary>
    public string Id { get; } = id;

    /// <summary>Gets where it builds, for people.</summary>
    public abstract string Where { get; }

    /// <summary>Gives it a project. It has none.</summary>
    /// <param name="project">The project.</param>
    /// <param name="wanted">Which of its files are wanted.</param>
    public abstract void Give(PlannedProject project, OutputsWanted wanted);
}
