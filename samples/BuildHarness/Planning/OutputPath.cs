using System;
using System.IO;
using Microsoft.Build.Execution;

namespace BuildHarness.Planning;

/// <summary>Where a project's outputs go.</summary>
internal static class OutputPath
{
    /// <summary>Gets the full path of a project's output folder (MSBuild's <c>OutDir</c>) without a separator at its end; empty if it
    /// has none.</summary>
    public static string Of(ProjectInstance project)
    {
        string folder = project.GetPropertyValue("OutDir");
        if (folder.Length == 0)
        {
            return folder;
        }

        return Path.TrimEndingDirectorySeparator(Path.GetFullPath(Path.Combine(project.Directory, Local(folder))));
    }

    /// <summary>A path of MSBuild's, which may have either separator.</summary>
    public static string Local(string path) => OperatingSystem.IsWindows() ? path : path.Replace('\\', '/');
}
