using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Collecting;
using BuildHarness.Packets;

namespace BuildHarness.Worker;

/// <summary>Which files of a project are sent, once all is built.</summary>
internal static class ProjectOutputs
{
    /// <returns>The files. What fails to be read is thrown when it is got to.</returns>
    public static IEnumerable<OutputItem> Of(SendOutputs wanted)
    {
        string folder = wanted.Project.OutputFolder;
        return folder.Length == 0 || !Directory.Exists(folder) ? []
            : wanted.Wanted == OutputsWanted.Folder ? OutputFolder.Files(folder)
            : Written(folder + Path.DirectorySeparatorChar, wanted.Project);
    }

    /// <summary>What MSBuild has noted of each file that the project wrote or found up to date, for <c>Clean</c>.</summary>
    private static IEnumerable<OutputItem> Written(string start, ProjectEvaluated project)
    {
        string home = Path.GetDirectoryName(project.Path)!;
        IEnumerable<string> noted = project.WrittenList.Length > 0 && File.Exists(project.WrittenList)
            ? File.ReadLines(project.WrittenList) : [];
        return noted.Select(line => Path.GetFullPath(Path.Combine(home, line)))
            .Where(file => file.StartsWith(start, StringComparison.Ordinal) && File.Exists(file))
            .Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)
            .Select(file => new OutputItem(file, file[start.Length..].Replace(Path.DirectorySeparatorChar, '/')));
    }
}
