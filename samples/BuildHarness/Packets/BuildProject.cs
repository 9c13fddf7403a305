using System.Collections.Generic;
using BuildHarness.Planning;
using Transport;

namespace BuildHarness.Packets;

/// <summary>Main node to worker: build this project.</summary>
/// <param name="Id">The project's id in the plan.</param>
/// <param name="Path">The full path of the project file.</param>
/// <param name="Properties">The global properties, as data: their values hold line breaks and whatever else.</param>
/// <param name="Outputs">Which of its files the main node wants, if it is built; none by default.</param>
/// <param name="OutputFolder">The full path of its output folder, if files are wanted; empty (default): it has none.</param>
/// <param name="Targets">The targets to build; null or empty (default): the project's own default.</param>
[Packet(513)]
internal sealed partial record BuildProject(int Id, string Path, IReadOnlyList<KeyValuePair<string, string>> Properties,
    OutputsWanted Outputs = OutputsWanted.None, string OutputFolder = "",
    IReadOnlyList<string>? Targets = null)
{
    /// <summary>Makes the packet for a project of the plan.</summary>
    public static BuildProject Of(PlannedProject project, OutputsWanted wanted) => new(
        project.Id, project.Path, project.Properties, wanted, wanted == OutputsWanted.None ? string.Empty : project.OutputFolder,
        project.Targets);
}
