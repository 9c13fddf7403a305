using System;
using System.Collections.Generic;
using System.IO;

namespace BuildHarness.Commands;

/// <summary>Sees to it that no two options write to one file, and none over what the command reads: the one that came last would win, and
/// nobody would be notified.</summary>
internal static class OutputPaths
{
    private const int MostLinks = 40;

    private static StringComparison Comparison => OperatingSystem.IsLinux() ? StringComparison.Ordinal : StringComparison.OrdinalIgnoreCase;

    /// <summary>Finds two that are one.</summary>
    /// <returns>A sentence that names both, or null.</returns>
    public static string? Clash(CommonOptions options)
    {
        var known = new List<(string Option, string Path, string Real)>();
        foreach ((string option, string? path) in PathsOf(options))
        {
            if (string.IsNullOrEmpty(path) || IsDevice(path))
            {
                continue;
            }

            string real = Resolve(Path.GetFullPath(path), 0);
            int same = known.FindIndex(one => string.Equals(one.Real, real, Comparison));
            if (same >= 0)
            {
                return $"{known[same].Option} {known[same].Path} and {option} {path} are one and the same ({real}): the one would "
                    + "overwrite the other; name two.";
            }

            known.Add((option, path, real));
        }

        return options is BuildOptions { CollectOutputs: { Length: > 0 } collected } ? Inside(collected, known) : null;
    }

    /// <summary>A collection takes the place of the one before as a whole: what was written into that one would go with it.</summary>
    private static string? Inside(string collected, List<(string Option, string Path, string Real)> known)
    {
        string folder = Resolve(Path.GetFullPath(collected), 0).TrimEnd(Path.DirectorySeparatorChar) + Path.DirectorySeparatorChar;
        int inside = known.FindIndex(one => one.Option.StartsWith('-') && one.Real.StartsWith(folder, Comparison));
        return inside < 0 ? null : $"{known[inside].Option} {known[inside].Path} lies in --collect-outputs {collected}, which is replaced "
            + "as a whole when all is built: name another place.";
    }

    /// <summary>What is read comes first; of several that are read there is never more than one.</summary>
    private static IEnumerable<(string Option, string? Path)> PathsOf(CommonOptions options)
    {
        switch (options)
        {
            case BuildOptions build:
                return [("build", build.Path), ("--log", build.Log), ("--summary", build.Summary), ("--trace", build.Trace),
                    ("--journal", build.Journal?.Directory)];
            case ReplayOptions replay:
                return [("replay", replay.File), ("--summary", replay.Summary), .. JournalOf(replay)];
            case RunOptions run:
                return [("run --", run.Program.Contains('/', StringComparison.Ordinal) ? run.Program : null), ("--log", run.Log),
                    ("--summary", run.Summary), ("--journal", run.Journal?.Directory)];
            case ExtractOptions extract:
                return [("extract", extract.File), ("--trace", extract.Trace)];
            default:
                return [];
        }
    }

    /// <summary>A journal may be replayed into itself: what it held at the beginning is sent, and appended.</summary>
    private static (string, string?)[] JournalOf(ReplayOptions replay) =>
        Directory.Exists(replay.File) ? [] : [("--journal", replay.Journal?.Directory)];

    /// <summary>A terminal, a pipe or /dev/null may be named twice; what lies in /dev/shm are files.</summary>
    private static bool IsDevice(string path)
    {
        string full = Path.GetFullPath(path);
        return (full.StartsWith("/dev/", StringComparison.Ordinal) && !full.StartsWith("/dev/shm/", StringComparison.Ordinal))
            || full.StartsWith("/proc/", StringComparison.Ordinal);
    }

    /// <summary>Follows the links of every part of a path; what is not there yet stands for itself.</summary>
    private static string Resolve(string full, int links)
    {
        string at = Path.GetPathRoot(full) ?? string.Empty;
        string[] parts = full[at.Length..]
            .Split([Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar], StringSplitOptions.RemoveEmptyEntries);
        foreach (string part in parts)
        {
            at = Path.Combine(at, part);
            if (links < MostLinks && TargetOf(at) is { } target)
            {
                at = Resolve(target, ++links);
            }
        }

        return at;
    }

    private static string? TargetOf(string path)
    {
        try
        {
            return new FileInfo(path).ResolveLinkTarget(returnFinalTarget: false)?.FullName;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
