using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.Build.Execution;
using Microsoft.Build.Graph;

namespace Transport.MSBuild;

/// <summary>
/// Makes a plan of MSBuild's graph. In that, whoever refers to a project for several frameworks refers to its outer build and to all its
/// inner ones; in the plan to the one inner build that the reference resolves to. Inner builds that nobody needs are left out, and so are
/// second nodes with the same outputs.
/// </summary>
internal sealed class GraphPlanner
{
    private static readonly HashSet<string> NotForwarded = new(StringComparer.OrdinalIgnoreCase) { "IsGraphBuild" };

    private readonly Dictionary<(string Path, string Framework, string Output), ProjectGraphNode> _first = [];
    private readonly Dictionary<ProjectGraphNode, int> _ids = [];
    private readonly HashSet<ProjectGraphNode> _open = [];
    private readonly List<PlannedProject> _projects = [];
    private readonly HashSet<string> _restoreOutputs = new(StringComparer.Ordinal);

    private GraphPlanner()
    {
    }

    public static BuildPlan Plan(ProjectGraph graph)
    {
        var planner = new GraphPlanner();
        ProjectGraphNode[] entries = [.. graph.EntryPointNodes.SelectMany(WithInner)];

        // What the solution names goes first: of two nodes with the same outputs it is the one that is built.
        foreach (ProjectGraphNode node in entries.Concat(graph.ProjectNodes.Where(node => !IsOuter(node))))
        {
            planner._first.TryAdd(OutputOf(node), node);
        }

        foreach (ProjectGraphNode node in entries)
        {
            planner.Add(node);
        }

        return new BuildPlan(planner._projects, [.. planner._restoreOutputs]);
    }

    /// <summary>Adds a node after all it needs.</summary>
    /// <returns>Its id; null if it is being added further up, which only nodes with the same outputs can bring about.</returns>
    private int? Add(ProjectGraphNode wanted)
    {
        ProjectGraphNode node = _first[OutputOf(wanted)];
        if (_ids.TryGetValue(node, out int known))
        {
            return known;
        }

        if (!_open.Add(node))
        {
            return null;
        }

        int[] references = [.. NeededBy(node).Select(Add).OfType<int>().Distinct().Order()];
        int id = _projects.Count;
        _ids.Add(node, id);
        ProjectInstance project = node.ProjectInstance;
        _projects.Add(new PlannedProject(
            id, project.FullPath, project.GetPropertyValue("TargetFramework"),
                [.. project.GlobalProperties.Where(p => !NotForwarded.Contains(p.Key))], references)
        {
            OutputFolder = OutputPath.Of(project),
            IsInner = project.GetPropertyValue("TargetFrameworks").Length > 0 && project.GlobalProperties.ContainsKey("TargetFramework"),
        });
        AddRestoreOutputs(project);
        return id;
    }

    private void AddRestoreOutputs(ProjectInstance project)
    {
        string path = Path.Combine(
            project.Directory, project.GetPropertyValue("MSBuildProjectExtensionsPath"), Path.GetFileName(project.FullPath));
        _restoreOutputs.Add(path + ".nuget.g.props");
        _restoreOutputs.Add(path + ".nuget.g.targets");
    }

    /// <summary>The builds that a node's references stand for.</summary>
    private static HashSet<ProjectGraphNode> NeededBy(ProjectGraphNode node)
    {
        var needed = new HashSet<ProjectGraphNode>(node.ProjectReferences.Where(reference => !IsOuter(reference)));
        ProjectGraphNode[] outers = [.. node.ProjectReferences.Where(IsOuter)];

        // First all inner builds go, then what is chosen comes: two outer builds of one project may share some.
        needed.ExceptWith(outers.SelectMany(InnerOf));
        needed.UnionWith(outers.SelectMany(outer => Chosen(node.ProjectInstance, outer)));
        return needed;
    }

    private static ProjectGraphNode[] Chosen(ProjectInstance referencing, ProjectGraphNode outer)
    {
        ProjectGraphNode[] all = [.. InnerOf(outer)];
        ProjectItemInstance[] references = [.. referencing.GetItems("ProjectReference")
            .Where(item => item.GetMetadataValue("FullPath") == outer.ProjectInstance.FullPath)];
        if (all.Length < 2 || Array.Exists(references, item => Says(item, "SkipGetTargetFrameworkProperties", "true")))
        {
            // Only one, or none is chosen: the outer build is wanted as such.
            return all;
        }

        ProjectGraphNode[] named = [.. all.Where(inner => Array.Exists(references, item =>
            Says(item, "SetTargetFramework", "TargetFramework=" + inner.ProjectInstance.GetPropertyValue("TargetFramework"))))];
        if (named.Length > 0)
        {
            return named;
        }

        int nearest = NearestFramework.Choose(referencing, [.. all.Select(inner => inner.ProjectInstance)]);
        return nearest < 0 ? all : [all[nearest]];
    }

    private static bool Says(ProjectItemInstance reference, string metadata, string value) =>
        reference.GetMetadataValue(metadata).Equals(value, StringComparison.OrdinalIgnoreCase);

    private static IEnumerable<ProjectGraphNode> WithInner(ProjectGraphNode node) => IsOuter(node) ? InnerOf(node) : [node];

    private static IEnumerable<ProjectGraphNode> InnerOf(ProjectGraphNode outer) =>
        outer.ProjectReferences.Where(inner => inner.ProjectInstance.FullPath == outer.ProjectInstance.FullPath && !IsOuter(inner));

    /// <summary>A project for several frameworks that has not been given one only starts its inner builds.</summary>
    private static bool IsOuter(ProjectGraphNode node) =>
        node.ProjectInstance.GetPropertyValue("TargetFrameworks").Length > 0
            && node.ProjectInstance.GetPropertyValue("TargetFramework").Length == 0;

    private static (string Path, string Framework, string Output) OutputOf(ProjectGraphNode node)
    {
        ProjectInstance project = node.ProjectInstance;

        // Projects that compile nothing have no target path; there the configuration stands for it.
        string output = project.GetPropertyValue("TargetPath") is { Length: > 0 } target ? target + "|"
            + project.GetPropertyValue("IntermediateOutputPath")
            : project.GetPropertyValue("Configuration") + "|" + project.GetPropertyValue("Platform");
        return (project.FullPath, project.GetPropertyValue("TargetFramework"), output);
    }
}
