using System;
using System.Collections.Generic;

namespace BuildHarness.Planning;

/// <summary>All there is to build. Immutable.</summary>
internal sealed class BuildPlan
{
    /// <summary>Initializes a new instance of the <see cref="BuildPlan"/> class.</summary>
    /// <param name="projects">The projects, references first.</param>
    /// <param name="restoreOutputs">The full paths of the files that a restore writes and the projects import.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public BuildPlan(IReadOnlyList<PlannedProject> projects, IReadOnlyList<string> restoreOutputs)
    {
        Projects = projects ?? throw new ArgumentNullException(nameof(projects));
        RestoreOutputs = restoreOutputs ?? throw new ArgumentNullException(nameof(restoreOutputs));
    }

    /// <summary>Gets the projects, references first; a project's id is its place here.</summary>
    public IReadOnlyList<PlannedProject> Projects { get; }

    /// <summary>Gets the full paths of the files that a restore writes and the projects import: if one has changed, the plan is out of
    /// date.</summary>
    public IReadOnlyList<string> RestoreOutputs { get; }

    /// <summary>Gets what <c>dotnet build</c> would warn of before it builds the first project, a canonical line each; none by
    /// default.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>Returns how many projects there are, as a sentence.</summary>
    public override string ToString() => Projects.Count == 1 ? "1 project to build." : $"{Projects.Count} projects to build.";
}
