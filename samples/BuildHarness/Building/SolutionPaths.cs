using System;
using System.IO;
using Transport.MSBuild;

namespace BuildHarness.Building;

/// <summary>Which files can be built.</summary>
internal static class SolutionPaths
{
    /// <exception cref="HarnessException">The path is missing, or is of no kind that can be built.</exception>
    public static void Check(string path)
    {
        if (Directory.Exists(path))
        {
            throw new HarnessException($"{path} is a folder; name the .sln, .slnx or project file in it.", ExitCodes.BadUsage);
        }

        if (!File.Exists(path))
        {
            throw new HarnessException($"{path} does not exist.", ExitCodes.BadUsage);
        }

        if (!BuildGraph.IsSolution(path) && !Path.GetExtension(path).EndsWith("proj", StringComparison.OrdinalIgnoreCase))
        {
            throw new HarnessException(
                $"{path} is no solution or project: expected .sln, .slnx, .slnf or a project file such as .csproj.", ExitCodes.BadUsage);
        }
    }
}
