using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Graph;

namespace BuildHarness.Graph;

/// <summary>Reads the graph of a solution or project with MSBuild, and makes a plan of it.</summary>
internal static class GraphReader
{
    private static readonly HashSet<string> NotForwarded = new(StringComparer.OrdinalIgnoreCase) { "IsGraphBuild" };

    /// <summary>Evaluates every project.</summary>
    /// <param name="path">The full path of a .sln, .slnx or project file.</param>
    /// <param name="properties">The user's global properties.</param>
    /// <param name="cancellation">Ends reading between two projects.</param>
    /// <returns>The plan.</returns>
    /// <exception cref="Microsoft.Build.Exceptions.InvalidProjectFileException">A project or the solution is broken.</exception>
    /// <exception cref="CircularDependencyException">Projects refer to each other in a circle.</exception>
    public static BuildPlan Read(string path, IReadOnlyDictionary<string, string> properties, CancellationToken cancellation)
    {
        // An own collection, so that a second reading sees what a restore has written meanwhile.
        using var collection = new ProjectCollection(ToolsetDefinitionLocations.Default);
        var entry = new ProjectGraphEntryPoint(path, properties.ToDictionary(p => p.Key, p => p.Value, StringComparer.OrdinalIgnoreCase));
        var graph = new ProjectGraph([entry], collection, projectInstanceFactory: null, Environment.ProcessorCount, cancellation);
        return PlanOf(graph);
    }

    private static BuildPlan PlanOf(ProjectGraph graph)
    {
        var ids = new Dictionary<ProjectGraphNode, int>();
        foreach (ProjectGraphNode node in graph.ProjectNodesTopologicallySorted)
        {
            if (!IsOuter(node))
            {
                ids.Add(node, ids.Count);
            }
        }

        return new BuildPlan([.. ids.Select(one => Plan(one.Key, one.Value, ids))], [.. ids.Keys.SelectMany(RestoreOutputs).Distinct(StringComparer.Ordinal)]);
    }

    private static IEnumerable<string> RestoreOutputs(ProjectGraphNode node)
    {
        string folder = Path.Combine(node.ProjectInstance.Directory, node.ProjectInstance.GetPropertyValue("MSBuildProjectExtensionsPath"));
        string name = Path.GetFileName(node.ProjectInstance.FullPath);
        return [Path.Combine(folder, name + ".nuget.g.props"), Path.Combine(folder, name + ".nuget.g.targets")];
    }

    private static PlannedProject Plan(ProjectGraphNode node, int id, Dictionary<ProjectGraphNode, int> ids) => new(
        id,
        node.ProjectInstance.FullPath,
        node.ProjectInstance.GetPropertyValue("TargetFramework"),
        [.. node.ProjectInstance.GlobalProperties.Where(p => !NotForwarded.Contains(p.Key))],
        [.. Inner(node.ProjectReferences).Select(reference => ids[reference]).Where(reference => reference != id).Distinct().Order()]);

    /// <summary>The projects behind references: an outer build stands for all its inner ones.</summary>
    private static IEnumerable<ProjectGraphNode> Inner(IEnumerable<ProjectGraphNode> references) =>
        references.SelectMany(reference => IsOuter(reference) ? InnerOf(reference) : [reference]);

    private static IEnumerable<ProjectGraphNode> InnerOf(ProjectGraphNode outer) =>
        outer.ProjectReferences.Where(inner => inner.ProjectInstance.FullPath == outer.ProjectInstance.FullPath && !IsOuter(inner));

    /// <summary>A project for several frameworks that has not been given one only starts its inner builds.</summary>
    private static bool IsOuter(ProjectGraphNode node) =>
        node.ProjectInstance.GetPropertyValue("TargetFrameworks").Length > 0 && node.ProjectInstance.GetPropertyValue("TargetFramework").Length == 0;
}
