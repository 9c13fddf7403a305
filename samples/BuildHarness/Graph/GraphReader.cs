using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using BuildHarness.Building;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Graph;

namespace BuildHarness.Graph;

/// <summary>Reads the graph of a solution or project with MSBuild, and makes a plan of it.</summary>
internal static class GraphReader
{
    /// <summary>Evaluates every project.</summary>
    /// <param name="path">The full path of a .sln, .slnx or project file.</param>
    /// <param name="properties">The user's global properties.</param>
    /// <param name="cancellation">Ends reading between two projects.</param>
    /// <returns>The plan.</returns>
    /// <exception cref="Microsoft.Build.Exceptions.InvalidProjectFileException">A project or the solution is broken, or has no such
    /// configuration.</exception>
    /// <exception cref="CircularDependencyException">Projects refer to each other in a circle.</exception>
    public static BuildPlan Read(string path, IReadOnlyDictionary<string, string> properties, CancellationToken cancellation)
    {
        if (SolutionPaths.IsSolution(path))
        {
            SolutionConfigurations.Check(path, properties);
        }

        // An own collection, so that a second reading sees what a restore has written meanwhile.
        using var collection = new ProjectCollection(ToolsetDefinitionLocations.Default);
        var entry = new ProjectGraphEntryPoint(path, properties.ToDictionary(p => p.Key, p => p.Value, StringComparer.OrdinalIgnoreCase));
        var graph = new ProjectGraph([entry], collection, projectInstanceFactory: null, Environment.ProcessorCount, cancellation);
        return GraphPlanner.Plan(graph);
    }
}
