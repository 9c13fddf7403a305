using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BuildHarness.Collecting;
using BuildHarness.Packets;
using Transport.MSBuild;

namespace BuildHarness.Worker;

/// <summary>Which files of a project are sent, once it is built.</summary>
internal static class ProjectOutputs
{
    /// <returns>The files; null if none are wanted or the project could not be built. What fails to be read is thrown when it is got
    /// to.</returns>
    public static IEnumerable<OutputItem>? Of(BuildProject project, ProjectResult result)
    {
        if (!result.Report.Succeeded || project.Outputs == OutputsWanted.None)
        {
            return null;
        }

        return project.OutputFolder.Length == 0 || !Directory.Exists(project.OutputFolder) ? []
            : project.Outputs == OutputsWanted.Folder ? OutputFolder.Files(project.OutputFolder)
            : Written(project.OutputFolder + Path.DirectorySeparatorChar, result.WrittenFiles);
    }

    private static IEnumerable<OutputItem> Written(string start, IEnumerable<string> files) =>
        from file in files
        where file.StartsWith(start, StringComparison.Ordinal)
        select new OutputItem(file, file[start.Length..].Replace(Path.DirectorySeparatorChar, '/'));
}
