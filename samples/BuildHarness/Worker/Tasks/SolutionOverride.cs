using System;
using System.Collections.Generic;
using System.Linq;
using BuildHarness.Building;
using BuildHarness.Packets;

namespace BuildHarness.Worker.Tasks;

/// <summary>The files by which MSBuild takes <see cref="MSBuild"/> in place of its own task.</summary>
internal static class SolutionOverride
{
    /// <summary>The property that names what MSBuild's project of a solution imports first, the one that says whether, and the one that keeps
    /// what the user has said of both. A worker sets them for that project alone.</summary>
    private const string Path = "DirectorySolutionPropsPath", Import = "ImportDirectorySolutionProps", Users = "BuildHarnessSolutionProps";

    private const string Off = "off";

    /// <summary>Gets the folder of the toolset's override.</summary>
    public static string Folder { get; } = System.IO.Path.Combine(AppContext.BaseDirectory, "Override");

    /// <summary>The global properties of a request, as MSBuild gets them.</summary>
    public static Dictionary<string, string?> PropertiesOf(ProjectWork work)
    {
        var properties = work.Properties.ToDictionary(p => p.Key, p => (string?)p.Value, StringComparer.OrdinalIgnoreCase);
        if (SolutionPaths.IsPartOfSolution(work.Path))
        {
            string? users = properties.GetValueOrDefault(Path);
            if (string.Equals(properties.GetValueOrDefault(Import), "false", StringComparison.OrdinalIgnoreCase))
            {
                properties.Remove(Import);
                users = Off;
            }

            if (!string.IsNullOrEmpty(users))
            {
                properties[Users] = users;
            }

            properties[Path] = System.IO.Path.Combine(Folder, "Solution.props");
        }

        return properties;
    }

    /// <summary>Takes back what <see cref="PropertiesOf"/> has set: a project of a solution inherits what the user has said.</summary>
    public static void TakeBack(Dictionary<string, string> properties)
    {
        if (properties.Remove(Users, out string? users) && users != Off)
        {
            properties[Path] = users;
        }
        else if (users == Off)
        {
            properties.Remove(Path);
            properties[Import] = "false";
        }
        else if (properties.TryGetValue(Path, out string? path) && path.StartsWith(Folder, StringComparison.Ordinal))
        {
            properties.Remove(Path);
        }
    }
}
