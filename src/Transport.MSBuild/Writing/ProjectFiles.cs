using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Transport.MSBuild;

/// <summary>The files that a build's events name as read: projects, imports, response files, and what a project wants in its binary log
/// (EmbedInBinlog). A <see cref="BinaryLogWriter"/> puts them into its file as this machine has them then, which need not be what the
/// build read. One thread.</summary>
public sealed class ProjectFiles
{
    private const string Embedded = "EmbedInBinlog";

    /// <summary>Each file with the time of the last event that names it, in ticks (UTC).</summary>
    private readonly Dictionary<string, long> _readAt = new(StringComparer.Ordinal);

    /// <summary>Initializes a new instance of the <see cref="ProjectFiles"/> class.</summary>
    public ProjectFiles()
    {
    }

    /// <summary>Gets the full paths of those that are no longer there.</summary>
    public IReadOnlyList<string> Missing => [.. _readAt.Keys.Where(file => !File.Exists(file))];

    /// <summary>Gets the full paths of those that were written after the last event that names them.</summary>
    public IReadOnlyList<string> Changed =>
        [.. _readAt.Keys.Where(file => File.Exists(file) && File.GetLastWriteTimeUtc(file).Ticks > _readAt[file])];

    /// <summary>Takes the files that an event names.</summary>
    /// <param name="one">The event.</param>
    /// <returns>Those of them that it names by a path relative to its project.</returns>
    internal IReadOnlyList<string> Add(BuildEvent one)
    {
        string? file = one.Kind switch
        {
            BuildEventKind.ProjectStarted => one.Text("ProjectFile"),
            BuildEventKind.ProjectImported => one.Text("ImportedProjectFile"),
            BuildEventKind.ResponseFileUsed => one.Text("ResponseFilePath"),
            _ => null,
        };

        // A project that MSBuild makes of a solution is in an event of its own.
        if (!string.IsNullOrEmpty(file) && !file.EndsWith(".metaproj", StringComparison.OrdinalIgnoreCase))
        {
            Add(file, one.Ticks);
        }

        string? folder = Path.GetDirectoryName(one.Text("ProjectFile"));
        var relative = new List<string>();
        foreach (string spec in Wanted(one))
        {
            string path = string.IsNullOrEmpty(folder) ? spec : Path.GetFullPath(spec, folder);
            Add(path, one.Ticks);
            if (!Path.IsPathFullyQualified(spec))
            {
                relative.Add(path);
            }
        }

        return relative;
    }

    private void Add(string file, long ticks) => _readAt[file] = Math.Max(_readAt.GetValueOrDefault(file), ticks);

    private static IEnumerable<string> Wanted(BuildEvent one)
    {
        bool isAll = one.Kind == BuildEventKind.TaskParameter
            && string.Equals(one.Text("ItemType"), Embedded, StringComparison.OrdinalIgnoreCase);
        if (!isAll && one.Kind is not (BuildEventKind.ProjectEvaluationFinished or BuildEventKind.ProjectStarted))
        {
            return [];
        }

        return one.List("Items").OfType<object?[]>()
            .Where(item => item.Length > 1 && (isAll || string.Equals(item[0] as string, Embedded, StringComparison.OrdinalIgnoreCase)))
            .Select(item => item[1] as string ?? string.Empty).Where(spec => spec.Length > 0 && spec.IndexOf('\0') < 0);
    }
}
