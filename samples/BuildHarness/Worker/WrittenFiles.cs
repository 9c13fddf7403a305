using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Planning;
using Microsoft.Build.Execution;

namespace BuildHarness.Worker;

/// <summary>What MSBuild's targets note down of each file they write or find up to date, for <c>Clean</c>.</summary>
internal static class WrittenFiles
{
    private static readonly string[] Notes = ["FileWrites", "FileWritesShareable"];

    /// <summary>Gets what must be known of a project after its build.</summary>
    public static RequestedProjectState Noted => new()
    {
        ItemFilters = Notes.ToDictionary(note => note, _ => new List<string>(), StringComparer.OrdinalIgnoreCase), PropertyFilters = [],
    };

    /// <summary>Returns the full paths of the files that are there, in their order.</summary>
    /// <param name="project">The path of the project file.</param>
    /// <param name="after">The project as it stands after the build; <see cref="Noted"/> was asked for.</param>
    public static IReadOnlyList<string> Of(string project, ProjectInstance after)
    {
        string home = Path.GetDirectoryName(project)!;
        return [.. Notes
            .SelectMany(after.GetItems)
            .Select(item => Path.GetFullPath(Path.Combine(home, OutputPath.Local(item.EvaluatedInclude))))
            .Where(File.Exists)
            .Distinct(StringComparer.Ordinal)
            .Order(StringComparer.Ordinal)];
    }
}
