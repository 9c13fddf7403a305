using System.Collections.Generic;

namespace BuildHarness.Graph;

/// <summary>One project to be built once: a project file with its global properties. Free of MSBuild's types. Immutable.</summary>
/// <param name="Id">Its place in <see cref="BuildPlan.Projects"/>.</param>
/// <param name="Path">The full path of the project file.</param>
/// <param name="Framework">Its target framework, or empty if it names none.</param>
/// <param name="Properties">The global properties it is built with.</param>
/// <param name="References">The ids of the projects that must be built before, direct and indirect ones.</param>
internal sealed record PlannedProject(
    int Id, string Path, string Framework, IReadOnlyList<KeyValuePair<string, string>> Properties, IReadOnlyList<int> References)
{
    public string Name => System.IO.Path.GetFileNameWithoutExtension(Path);

    /// <summary>Gets a value indicating whether it is one of several frameworks of its project.</summary>
    public bool IsInner { get; init; }

    /// <summary>Gets the full path of the folder that its outputs go to, as evaluated; empty if it has none.</summary>
    public string OutputFolder { get; init; } = string.Empty;

    /// <summary>Gets the name shown to people.</summary>
    public string Title => Framework.Length == 0 ? Name : $"{Name} ({Framework})";
}

/// <summary>All there is to build. Immutable.</summary>
/// <param name="Projects">The projects, references first.</param>
/// <param name="RestoreOutputs">The files that a restore writes and the projects import: if one has changed, the plan is out of
/// date.</param>
internal sealed record BuildPlan(IReadOnlyList<PlannedProject> Projects, IReadOnlyList<string> RestoreOutputs);
