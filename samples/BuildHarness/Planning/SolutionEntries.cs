using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Microsoft.Build.Construction;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Exceptions;
using Microsoft.Build.Graph;

namespace BuildHarness.Planning;

/// <summary>
/// The projects of a solution as entry points of MSBuild's graph, and the build order that the solution itself asks for. MSBuild's graph
/// can read a solution too, but fails with an internal error (MSB0001) if a project must be built after one that the configuration or the
/// filter leaves out; <c>dotnet build</c> ignores such an order, and so does this. Immutable.
/// </summary>
internal sealed class SolutionEntries
{
    private static readonly JsonDocumentOptions FilterSyntax = new()
    {
        AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip,
    };

    private SolutionEntries(
        IReadOnlyList<ProjectGraphEntryPoint> projects, IReadOnlyDictionary<string, string[]> order, IReadOnlyList<string> warnings)
    {
        Projects = projects;
        Order = order;
        Warnings = warnings;
    }

    /// <summary>Gets the projects that the solution builds in this configuration, in its own order.</summary>
    public IReadOnlyList<ProjectGraphEntryPoint> Projects { get; }

    /// <summary>Gets, by a project's full path, the full paths of those that the solution wants built before it.</summary>
    public IReadOnlyDictionary<string, string[]> Order { get; }

    /// <summary>Gets what <c>dotnet build</c> would warn of, as canonical lines without their origin.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <param name="path">The full path of a solution or solution filter.</param>
    /// <param name="properties">The user's global properties.</param>
    /// <exception cref="InvalidProjectFileException">The solution is broken, or has no such configuration (MSB4126).</exception>
    public static SolutionEntries Read(string path, IReadOnlyDictionary<string, string> properties)
    {
        SolutionFile solution = SolutionFile.Parse(path);
        SolutionConfigurationInSolution chosen = Choose(path, solution, properties);
        (string file, Func<ProjectInSolution, bool> isWanted) = Filter(path);
        var built = new Dictionary<ProjectInSolution, ProjectConfigurationInSolution>();
        var warnings = new List<string>();
        foreach (ProjectInSolution project in solution.ProjectsInOrder.Where(IsProject).Where(isWanted))
        {
            if (!project.ProjectConfigurations.TryGetValue(chosen.FullName, out ProjectConfigurationInSolution? configuration))
            {
                warnings.Add($"{file}.metaproj : warning MSB4121: The project configuration for project \"{project.ProjectName}\" was not "
                    + $"specified in the solution file for the solution configuration \"{chosen.FullName}\". [{file}]");
            }
            else if (configuration.IncludeInBuild)
            {
                built.Add(project, configuration);
            }
        }

        warnings.AddRange(NotRun(file).Select(one => $"{one} : warning: dotnet build imports this file for the solution as a whole; it has "
            + $"no effect here. Move its targets to Directory.Build.targets. [{file}]"));
        Dictionary<string, string> common = Common(file, properties);
        common["CurrentSolutionConfigurationContents"] = Contents(file, solution, chosen, built);
        var entries = new List<ProjectGraphEntryPoint>();
        var order = new Dictionary<string, string[]>(StringComparer.Ordinal);
        foreach ((ProjectInSolution project, ProjectConfigurationInSolution configuration) in built)
        {
            entries.Add(new ProjectGraphEntryPoint(project.AbsolutePath, new Dictionary<string, string>(common, common.Comparer)
            {
                ["Configuration"] = configuration.ConfigurationName,
                ["Platform"] = configuration.PlatformName,
            }));
            string[] before = [.. Before(file, solution, project).Where(built.ContainsKey).Select(one => one.AbsolutePath)];
            if (before.Length > 0)
            {
                order[project.AbsolutePath] = before;
            }
        }

        return new SolutionEntries(entries, order, warnings);
    }

    private static bool IsProject(ProjectInSolution project) => project.ProjectType != SolutionProjectType.SolutionFolder;

    private static IEnumerable<ProjectInSolution> Before(string file, SolutionFile solution, ProjectInSolution project) =>
        project.Dependencies.Select(id => solution.ProjectsInOrder.FirstOrDefault(one => Same(one.ProjectGuid, id))
            ?? throw Broken(file, "MSB4051", $"Project {project.ProjectGuid} is referencing a project with GUID {id}, but a project with "
                + "this GUID was not found in the solution."));

    private static InvalidProjectFileException Broken(string file, string code, string message) =>
        new(file, 0, 0, 0, 0, message, errorSubcategory: null, errorCode: code, helpKeyword: null);

    private static SolutionConfigurationInSolution Choose(
        string path, SolutionFile solution, IReadOnlyDictionary<string, string> properties)
    {
        string configuration = Value("Configuration") ?? solution.GetDefaultConfigurationName();
        string platform = Value("Platform") ?? solution.GetDefaultPlatformName();
        if (solution.SolutionConfigurations.FirstOrDefault(
            c => Same(c.ConfigurationName, configuration) && Same(c.PlatformName, platform)) is { } chosen)
        {
            return chosen;
        }

        string known = string.Join(", ", solution.SolutionConfigurations.Select(c => c.FullName));
        throw Broken(path + ".metaproj", "MSB4126", $"The specified solution configuration \"{configuration}|{platform}\" is invalid. "
            + $"The solution has {(known.Length == 0 ? "none" : known)}. [{path}]");

        string? Value(string name) => properties.FirstOrDefault(p => Same(p.Key, name)).Value is { Length: > 0 } value ? value : null;
    }

    /// <summary>Reads which projects a filter names. It has been parsed by MSBuild already, so its parts are there.</summary>
    /// <returns>The full path of the solution, and whether one of its projects is wanted.</returns>
    private static (string Solution, Func<ProjectInSolution, bool> IsWanted) Filter(string path)
    {
        if (!Path.GetExtension(path).Equals(".slnf", StringComparison.OrdinalIgnoreCase))
        {
            return (path, static _ => true);
        }

        JsonNode solution = JsonNode.Parse(File.ReadAllText(path), nodeOptions: null, FilterSyntax)!["solution"]!;
        string file = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(path)!, OutputPath.Local((string)solution["path"]!)));
        string folder = Path.GetDirectoryName(file)!;
        var names = new HashSet<string>(
            solution["projects"]!.AsArray().Select(one => Absolute((string)one!)), StringComparer.OrdinalIgnoreCase);
        return (file, project => names.Contains(Absolute(project.RelativePath)));

        string Absolute(string name) => Path.GetFullPath(Path.Combine(folder, OutputPath.Local(name)));
    }

    /// <summary>The global properties that MSBuild gives every project of a solution.</summary>
    private static Dictionary<string, string> Common(string file, IReadOnlyDictionary<string, string> properties) =>
        new(properties, StringComparer.OrdinalIgnoreCase)
        {
            ["BuildingSolutionFile"] = "true",
            ["SolutionDir"] = ProjectCollection.Escape(Path.GetDirectoryName(file)!.TrimEnd(Path.DirectorySeparatorChar)
                + Path.DirectorySeparatorChar),
            ["SolutionExt"] = ProjectCollection.Escape(Path.GetExtension(file)),
            ["SolutionFileName"] = ProjectCollection.Escape(Path.GetFileName(file)),
            ["SolutionName"] = ProjectCollection.Escape(Path.GetFileNameWithoutExtension(file)),
            ["SolutionPath"] = ProjectCollection.Escape(file),
        };

    /// <summary>The solution's configuration as the targets of references read it (task AssignProjectConfiguration).</summary>
    private static string Contents(string file, SolutionFile solution, SolutionConfigurationInSolution chosen,
        Dictionary<ProjectInSolution, ProjectConfigurationInSolution> built) =>
        new XElement("SolutionConfiguration", solution.ProjectsInOrder.Where(IsProject)
            .Where(project => project.ProjectConfigurations.ContainsKey(chosen.FullName))
            .Select(project => new XElement("ProjectConfiguration",
                new XAttribute("Project", project.ProjectGuid),
                new XAttribute("AbsolutePath", project.AbsolutePath),
                new XAttribute("BuildProjectInSolution", project.ProjectConfigurations[chosen.FullName].IncludeInBuild),
                project.ProjectConfigurations[chosen.FullName].FullName,
                Before(file, solution, project).Where(built.ContainsKey)
                    .Select(one => new XElement("ProjectDependency", new XAttribute("Project", one.ProjectGuid)))))).ToString();

    /// <summary>The files that MSBuild imports into the project it makes of a solution, which the graph does not have.</summary>
    private static IEnumerable<string> NotRun(string file)
    {
        string folder = Path.GetDirectoryName(file)!, name = Path.GetFileName(file);
        IEnumerable<string> beside = [Path.Combine(folder, $"before.{name}.targets"), Path.Combine(folder, $"after.{name}.targets")];
        return beside.Where(File.Exists).Concat(new[] { "Directory.Solution.props", "Directory.Solution.targets" }
            .Select(one => Nearest(folder, one)).OfType<string>());
    }

    private static string? Nearest(string? folder, string name)
    {
        for (; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (File.Exists(Path.Combine(folder, name)))
            {
                return Path.Combine(folder, name);
            }
        }

        return null;
    }

    private static bool Same(string a, string b) => a.Equals(b, StringComparison.OrdinalIgnoreCase);
}
