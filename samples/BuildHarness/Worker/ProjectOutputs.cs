using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Collecting;
using BuildHarness.Graph;
using BuildHarness.Packets;
using Microsoft.Build.Execution;

namespace BuildHarness.Worker;

/// <summary>Which files are a project's outputs, once it is built.</summary>
internal static class ProjectOutputs
{
    /// <summary>What MSBuild's targets note down of each file they write or find up to date, for <c>Clean</c>.</summary>
    private static readonly string[] Notes = ["FileWrites", "FileWritesShareable"];

    /// <summary>Gets what must be known of a project after its build, if not all of its output folder is wanted.</summary>
    public static RequestedProjectState Noted => new()
    {
        ItemFilters = Notes.ToDictionary(note => note, _ => new List<string>(), StringComparer.OrdinalIgnoreCase), PropertyFilters = [],
    };

    /// <param name="project">What was built.</param>
    /// <param name="after">The project as it stands after the build, if <see cref="Noted"/> was asked for.</param>
    /// <returns>The files; what fails to be read is thrown when it is got to.</returns>
    public static IEnumerable<OutputItem> Of(BuildProject project, ProjectInstance? after) =>
        project.OutputFolder.Length == 0 || !Directory.Exists(project.OutputFolder) ? []
        : project.Outputs == OutputsWanted.Folder ? OutputFolder.Files(project.OutputFolder)
        : after is null ? []
        : Written(project, after);

    private static OutputItem[] Written(BuildProject project, ProjectInstance after)
    {
        string start = project.OutputFolder + Path.DirectorySeparatorChar, home = Path.GetDirectoryName(project.Path)!;
        return [.. Notes
            .SelectMany(after.GetItems)
            .Select(item => Path.GetFullPath(Path.Combine(home, OutputPath.Local(item.EvaluatedInclude))))
            .Where(path => path.StartsWith(start, StringComparison.Ordinal) && File.Exists(path))
            .Distinct(StringComparer.Ordinal)
            .Order(StringComparer.Ordinal)
            .Select(path => new OutputItem(path, path[start.Length..].Replace(Path.DirectorySeparatorChar, '/')))];
    }
}
