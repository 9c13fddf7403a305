using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using Microsoft.Build.Construction;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Exceptions;
using Microsoft.Build.Execution;
using Microsoft.Build.Graph;

namespace BuildHarness.Planning;

/// <summary>Reads the graph of a solution or project with MSBuild. Safe from any thread.</summary>
/// <remarks>Names MSBuild's types: the program must have found the SDK's assemblies (Microsoft.Build.Locator) before a method that calls
/// this is compiled.</remarks>
internal static class BuildGraph
{
    /// <summary>Whether a path names a solution: .sln, .slnx or .slnf.</summary>
    /// <param name="path">The path; only its extension is looked at.</param>
    /// <exception cref="ArgumentNullException"><paramref name="path"/> is null.</exception>
    public static bool IsSolution(string path) =>
        Path.GetExtension(path ?? throw new ArgumentNullException(nameof(path))).ToLowerInvariant() is ".sln" or ".slnx" or ".slnf";

    /// <summary>Evaluates every project and plans which are to be built in which order. Builds and restores nothing. Takes seconds for a
    /// solution of some dozen projects, on as many threads as there are processors.</summary>
    /// <param name="path">The full path of a solution (.sln, .slnx, .slnf) or project file.</param>
    /// <param name="properties">The user's global properties; names differ in more than case.</param>
    /// <param name="targets">What to build of the projects that the solution names, or of the project itself, such as Rebuild or Pack;
    /// empty: each project's default. Rebuild and Clean apply to the referenced projects too, which are otherwise built by their
    /// default.</param>
    /// <param name="cancellationToken">Ends reading between two projects.</param>
    /// <returns>The plan, references first: of a project for several frameworks, each that is needed, and behind them its outer build if
    /// the project itself is to be built.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="path"/>, <paramref name="properties"/> or <paramref name="targets"/> is
    /// null.</exception>
    /// <exception cref="System.IO.IOException">A file is missing or cannot be read.</exception>
    /// <exception cref="AggregateException">MSBuild evaluates on several threads and wraps what one of them threw, also a
    /// cancellation.</exception>
    /// <exception cref="InvalidProjectFileException">A project or the solution is broken, or has no such
    /// configuration.</exception>
    /// <exception cref="CircularDependencyException">Projects refer to each other in a circle.</exception>
    public static BuildPlan Read(
        string path, IReadOnlyDictionary<string, string> properties, IReadOnlyList<string> targets, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(properties);
        ArgumentNullException.ThrowIfNull(targets);
        SolutionEntries? solution = IsSolution(path) ? SolutionEntries.Read(path, properties) : null;
        IReadOnlyList<ProjectGraphEntryPoint> entries = solution?.Projects
            ?? [new ProjectGraphEntryPoint(path, properties.ToDictionary(p => p.Key, p => p.Value, StringComparer.OrdinalIgnoreCase))];

        // An own collection, so that a second reading sees what a restore has written meanwhile.
        using var collection = new ProjectCollection(ToolsetDefinitionLocations.Default);
        var named = new HashSet<string>(entries.Select(entry => entry.ProjectFile), StringComparer.Ordinal);
        var graph = new ProjectGraph(entries, collection, Evaluate, Environment.ProcessorCount, cancellationToken);
        return new GraphPlanner(path, targets, solution).Plan(graph);

        // A reference to a file that does not exist is a warning of the build (MSB9008), which the worker gives; not the graph's end.
        ProjectInstance Evaluate(string file, Dictionary<string, string> global, ProjectCollection projects) =>
            File.Exists(file) || named.Contains(file)
                ? new ProjectInstance(file, global, toolsVersion: null, projects)
                : new ProjectInstance(ProjectRootElement.Create(file, projects), global, toolsVersion: null, projects);
    }
}
