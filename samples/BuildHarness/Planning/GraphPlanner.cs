using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.Build.Exceptions;
using Microsoft.Build.Execution;
using Microsoft.Build.Graph;

namespace BuildHarness.Planning;

/// <summary>
/// Makes a plan of MSBuild's graph. In that, a project that refers to one for several frameworks refers to its outer build and to all its
/// inner ones; in the plan to the one inner build that the reference resolves to. Inner builds that nobody needs are left out, and so are
/// second nodes with the same outputs. An outer build is planned, behind its inner ones, if the user or the solution names its project:
/// its own targets pack, and whatever else comes after the build of all frameworks.
/// </summary>
/// <param name="path">The solution or project.</param>
/// <param name="targets">What the user wants built; empty: the default.</param>
/// <param name="solution">What the solution says, or null if there is none.</param>
internal sealed class GraphPlanner(string path, IReadOnlyList<string> targets, SolutionEntries? solution)
{
    private static readonly HashSet<string> NotForwarded = new(StringComparer.OrdinalIgnoreCase) { "IsGraphBuild" };

    /// <summary>An outer build calls this target of its inner builds, which are built already, in place of building them again. It is
    /// the switch that Microsoft.Common.CrossTargeting.targets has for it.</summary>
    private static readonly KeyValuePair<string, string> OnlyAsk = new("InnerTargets", "GetTargetPath");

    /// <summary>Targets that a user who names them for a project expects of its references too.</summary>
    private static readonly HashSet<string> ForReferences = new(StringComparer.OrdinalIgnoreCase) { "Build", "Rebuild", "Clean" };

    private static readonly KeyValuePair<string, string>[] NoProperties = [];

    private readonly Dictionary<(string Path, string Framework, string Output), ProjectGraphNode> _first = [];
    private readonly Dictionary<ProjectGraphNode, int> _ids = [];
    private readonly List<(ProjectGraphNode Node, bool ByOrder)> _open = [];
    private readonly HashSet<ProjectGraphNode> _named = [];
    private readonly List<PlannedProject> _projects = [];
    private readonly HashSet<string> _restoreOutputs = new(StringComparer.Ordinal);

    public BuildPlan Plan(ProjectGraph graph)
    {
        _named.UnionWith(graph.EntryPointNodes);
        ProjectGraphNode[] entries = [.. graph.EntryPointNodes.SelectMany(WithInner)];

        // What the solution names goes first: of two nodes with the same outputs it is the one that is built.
        foreach (ProjectGraphNode node in entries.Concat(graph.ProjectNodes))
        {
            _first.TryAdd(OutputOf(node), node);
        }

        foreach (ProjectGraphNode node in entries)
        {
            Add(node, byOrder: false);
        }

        return new BuildPlan(_projects, [.. _restoreOutputs]) { Warnings = solution?.Warnings ?? [] };
    }

    /// <summary>Adds a node after all it needs.</summary>
    /// <param name="wanted">The node.</param>
    /// <param name="byOrder">The solution's build order wants it, not a reference.</param>
    /// <returns>Its id; null if it is being added further up, which without an order only nodes with the same outputs can bring
    /// about.</returns>
    private int? Add(ProjectGraphNode wanted, bool byOrder)
    {
        ProjectGraphNode node = _first[OutputOf(wanted)];
        if (_ids.TryGetValue(node, out int known))
        {
            return known;
        }

        int above = _open.FindIndex(one => one.Node == node);
        if (above >= 0)
        {
            return byOrder || _open.Skip(above + 1).Any(one => one.ByOrder) ? throw Circle(above) : null;
        }

        _open.Add((node, byOrder));
        int[] references = [.. NeededBy(node).Where(one => File.Exists(one.ProjectInstance.FullPath))
            .Select(one => Add(one, byOrder: false))
            .Concat(OrderedBefore(node).Select(one => Add(one, byOrder: true))).OfType<int>().Distinct().Order()];
        _open.RemoveAt(_open.Count - 1);
        int id = _projects.Count;
        _ids.Add(node, id);
        ProjectInstance project = node.ProjectInstance;
        bool isOuter = IsOuter(node);
        IEnumerable<KeyValuePair<string, string>> properties = project.GlobalProperties.Where(p => !NotForwarded.Contains(p.Key));
        _projects.Add(new PlannedProject(
            id, project.FullPath, project.GetPropertyValue("TargetFramework"), [.. properties, .. isOuter ? [OnlyAsk] : NoProperties],
            references)
        {
            // An outer build's folder is around those of its inner builds; it writes nothing there itself.
            OutputFolder = isOuter ? string.Empty : OutputPath.Of(project),
            IsInner = IsInner(project),
            Targets = _named.Contains(node) ? targets : [.. targets.Where(ForReferences.Contains)],
        });
        AddRestoreOutputs(project);
        return id;
    }

    /// <summary>The nodes that the solution wants built before, though the project does not refer to them.</summary>
    private IEnumerable<ProjectGraphNode> OrderedBefore(ProjectGraphNode node) =>
        solution is not null && solution.Order.TryGetValue(node.ProjectInstance.FullPath, out string[]? before)
            ? _named.Where(one => before.Contains(one.ProjectInstance.FullPath)).SelectMany(WithInner) : [];

    private InvalidProjectFileException Circle(int above)
    {
        IEnumerable<string> names = _open.Skip(above).Append(_open[above])
            .Select(one => Path.GetFileName(one.Node.ProjectInstance.FullPath)).Reverse();
        return new InvalidProjectFileException(
            path, 0, 0, 0, 0,
            $"The solution's build order and the references of its projects form a circle: {string.Join(", before ", names)}.",
            errorSubcategory: null, errorCode: "MSB4006", helpKeyword: null);
    }

    private void AddRestoreOutputs(ProjectInstance project)
    {
        string stem = Path.Combine(
            project.Directory, project.GetPropertyValue("MSBuildProjectExtensionsPath"), Path.GetFileName(project.FullPath));
        _restoreOutputs.Add(stem + ".nuget.g.props");
        _restoreOutputs.Add(stem + ".nuget.g.targets");
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
            return all.Length < 2 ? all : [.. all, outer];
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

    private static IEnumerable<ProjectGraphNode> WithInner(ProjectGraphNode node) => IsOuter(node) ? [.. InnerOf(node), node] : [node];

    private static IEnumerable<ProjectGraphNode> InnerOf(ProjectGraphNode outer) =>
        outer.ProjectReferences.Where(inner => inner.ProjectInstance.FullPath == outer.ProjectInstance.FullPath && !IsOuter(inner));

    /// <summary>A project for several frameworks that has not been given one only starts its inner builds.</summary>
    private static bool IsOuter(ProjectGraphNode node) =>
        node.ProjectInstance.GetPropertyValue("TargetFrameworks").Length > 0
            && node.ProjectInstance.GetPropertyValue("TargetFramework").Length == 0;

    private static bool IsInner(ProjectInstance project) =>
        project.GetPropertyValue("TargetFrameworks").Length > 0 && project.GlobalProperties.ContainsKey("TargetFramework");

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
