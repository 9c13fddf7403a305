using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Building;
using BuildHarness.Packets;

namespace BuildHarness.Worker.Tasks;

/// <summary>The files by which MSBuild takes <see cref="MSBuild"/> in place of its own task.</summary>
internal static class SolutionOverride
{
    /// <summary>The property that names what MSBuild's project of a solution imports first. A worker sets it for that project alone.</summary>
    public const string Property = "DirectorySolutionPropsPath";

    /// <summary>Gets the folder of the toolset's override.</summary>
    public static string Folder { get; } = Path.Combine(AppContext.BaseDirectory, "Override");

    /// <summary>The global properties of a request, as MSBuild gets them.</summary>
    public static Dictionary<string, string?> PropertiesOf(ProjectWork work)
    {
        var properties = work.Properties.ToDictionary(p => p.Key, p => (string?)p.Value, StringComparer.OrdinalIgnoreCase);
        if (SolutionPaths.IsPartOfSolution(work.Path))
        {
            properties.TryAdd(Property, Path.Combine(Folder, "Solution.props"));
        }

        return properties;
    }
}
