using System.Collections.Generic;
using BuildHarness.Packets;

namespace BuildHarness.Worker;

/// <summary>What came of building a project. Immutable.</summary>
internal sealed class ProjectResult
{
    internal ProjectResult(ProjectBuilt report, IReadOnlyList<string> writtenFiles)
    {
        Report = report;
        WrittenFiles = writtenFiles;
    }

    /// <summary>Gets what the main node is to know, as its packet.</summary>
    public ProjectBuilt Report { get; }

    /// <summary>Gets the full paths of the files that MSBuild knows the project wrote or found up to date, in their order; empty unless it
    /// was built with <see cref="OutputsWanted.Written"/>.</summary>
    public IReadOnlyList<string> WrittenFiles { get; }

    /// <summary>Returns the result as a sentence.</summary>
    public override string ToString() => Report.Succeeded ? $"Project {Report.Id} was built in {Report.Milliseconds} ms."
        : Report.Error is null ? $"Project {Report.Id} was not built." : $"Project {Report.Id} was not built: {Report.Error}";
}
