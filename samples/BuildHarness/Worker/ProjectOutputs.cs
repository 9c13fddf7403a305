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

    /// <param name="project">The project as it stands after the build.</param>
    /// <param name="wanted">All of the output folder, or what the project itself wrote there.</param>
    /// <returns>The files; what fails to be read is thrown where it is got to.</returns>
    public static IEnumerable<OutputItem> Of(ProjectInstance project, OutputsWanted wanted)
    {
        string folder = OutputPath.Of(project);
        return folder.Length == 0 || !Directory.Exists(folder) ? []
            : wanted == OutputsWanted.Written ? Written(project, folder)
            : OutputFolder.Files(folder);
    }

    private static OutputItem[] Written(ProjectInstance project, string folder)
    {
        string start = folder + Path.DirectorySeparatorChar;
        return [.. Notes
            .SelectMany(project.GetItems)
            .Select(item => Path.GetFullPath(Path.Combine(project.Directory, OutputPath.Local(item.EvaluatedInclude))))
            .Where(path => path.StartsWith(start, StringComparison.Ordinal) && File.Exists(path))
            .Distinct(StringComparer.Ordinal)
            .Order(StringComparer.Ordinal)
            .Select(path => new OutputItem(path, path[start.Length..].Replace(Path.DirectorySeparatorChar, '/')))];
    }
}
