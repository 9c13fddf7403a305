using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace BuildHarness.Collecting;

/// <summary>The files of a folder and all folders in it, in the order of their names. Links are followed, as <c>cp -rL</c> does: what is collected stands for itself.</summary>
internal static class OutputFolder
{
    /// <exception cref="IOException">Something in it cannot be looked at, or leads back to a folder above it; thrown where it is got to.</exception>
    /// <exception cref="UnauthorizedAccessException">A folder cannot be read.</exception>
    public static IEnumerable<OutputItem> Files(string folder)
    {
        string root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder));
        var above = new HashSet<(ulong, ulong)> { FileStatus.Of(root).Identity };
        return Files(root, string.Empty, above);
    }

    private static IEnumerable<OutputItem> Files(string folder, string prefix, HashSet<(ulong, ulong)> above)
    {
        foreach (FileSystemInfo entry in new DirectoryInfo(folder).GetFileSystemInfos().OrderBy(e => e.Name, StringComparer.Ordinal))
        {
            string path = prefix + entry.Name;
            bool isLink = entry.LinkTarget is not null;
            if (!(isLink ? Directory.Exists(entry.FullName) : entry is DirectoryInfo))
            {
                yield return new OutputItem(entry.FullName, path);
                continue;
            }

            (ulong Device, ulong Number) identity = FileStatus.Of(entry.FullName).Identity;
            if (!above.Add(identity) && identity != default)
            {
                throw new IOException($"{path} leads back to a folder that it is in.");
            }

            foreach (OutputItem item in Files(entry.FullName, path + "/", above))
            {
                yield return item;
            }

            above.Remove(identity);
        }
    }
}
