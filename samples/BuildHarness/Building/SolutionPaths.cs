using System;
using System.IO;
using System.Linq;

namespace BuildHarness.Building;

/// <summary>Which file is built.</summary>
internal static class SolutionPaths
{
    /// <summary>Finds the file: the one that is named, or the solution or project of the folder that is named, as <c>dotnet build</c>
    /// does.</summary>
    /// <param name="path">A file or a folder.</param>
    /// <exception cref="HarnessException">The path is missing, or is of no kind that can be built; or the folder has none or
    /// several.</exception>
    public static string Find(string path)
    {
        if (Directory.Exists(path))
        {
            return FindIn(path);
        }

        if (!File.Exists(path))
        {
            throw new HarnessException($"{path} does not exist.", ExitCodes.BadUsage);
        }

        return IsProjectOrSolution(path) ? path : throw new HarnessException(
            $"{path} is no solution or project: expected .sln, .slnx, .slnf or a project file such as .csproj.", ExitCodes.BadUsage);
    }

    /// <summary>Whether a path names a solution: .sln, .slnx or .slnf.</summary>
    public static bool IsSolution(string path) => Path.GetExtension(path).ToLowerInvariant() is ".sln" or ".slnx" or ".slnf";

    /// <summary>Whether a path names a solution, or the project that MSBuild makes of one of its projects that others must come
    /// before.</summary>
    public static bool IsPartOfSolution(string path) =>
        IsSolution(path) || path.EndsWith(".metaproj", StringComparison.OrdinalIgnoreCase);

    private static string FindIn(string folder)
    {
        string[] files;
        try
        {
            files = [.. Directory.EnumerateFiles(folder).Where(IsProjectOrSolution).Order(StringComparer.Ordinal)
                .Select(file => folder == "." ? Path.GetFileName(file) : file)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException($"{folder} cannot be read: {e.Message}", ExitCodes.BadUsage);
        }

        string where = folder == "." ? "The current folder" : folder;
        string[] solutions = [.. files.Where(IsWholeSolution)], projects = [.. files.Where(file => !IsSolution(file))];
        return (solutions, projects) switch
        {
            ([var solution], []) => solution,
            ([], [var project]) => project,
            ([var solution], [var project]) when Stem(solution) == Stem(project) => solution,
            ([], []) => throw new HarnessException($"{where} has no solution or project; name a file.", ExitCodes.BadUsage),
            _ => throw new HarnessException(
                $"{where} has {files.Length} solutions and projects: {string.Join(", ", files.Select(Path.GetFileName))}; name one.",
                ExitCodes.BadUsage),
        };
    }

    private static string Stem(string path) => Path.GetFileNameWithoutExtension(path);

    private static bool IsWholeSolution(string path) =>
        IsSolution(path) && !Path.GetExtension(path).Equals(".slnf", StringComparison.OrdinalIgnoreCase);

    private static bool IsProjectOrSolution(string path) =>
        IsSolution(path) || Path.GetExtension(path).EndsWith("proj", StringComparison.OrdinalIgnoreCase);
}
