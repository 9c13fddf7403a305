using System;
using System.Collections.Generic;
using System.IO;

namespace BuildHarness.Collecting;

/// <summary>The files of a folder and all folders in it, in the order of their names. Links are followed, as <c>cp -rL</c> does: what is
/// collected stands for itself.</summary>
internal static class OutputFolder
{
    /// <exception cref="IOException">Something in it cannot be looked at, or leads back to a folder above it; thrown when it is got
    /// to.</exception>
    /// <exception cref="UnauthorizedAccessException">A folder cannot be read.</exception>
    public static IEnumerable<OutputItem> Files(string folder) =>
        Files(Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder)), string.Empty, []);

    /// <param name="folder">The folder.</param>
    /// <param name="prefix">Its path in the first one, with a '/' behind it.</param>
    /// <param name="above">The folders that it is in.</param>
    private static IEnumerable<OutputItem> Files(string folder, string prefix, List<string> above)
    {
        above.Add(folder);
        FileSystemInfo[] entries = new DirectoryInfo(folder).GetFileSystemInfos();
        Array.Sort(entries, static (one, other) => string.CompareOrdinal(one.Name, other.Name));
        foreach (FileSystemInfo entry in entries)
        {
            string path = prefix + entry.Name;
            bool isLink = FileStatus.IsLink(entry);
            if (!(isLink ? Directory.Exists(entry.FullName) : entry is DirectoryInfo))
            {
                yield return new OutputItem(entry.FullName, path);
                continue;
            }

            if (isLink && IsAmong(above, entry.FullName))
            {
                throw new IOException($"{path} leads back to a folder that it is in.");
            }

            foreach (OutputItem item in Files(entry.FullName, path + "/", above))
            {
                yield return item;
            }
        }

        above.RemoveAt(above.Count - 1);
    }

    private static bool IsAmong(List<string> folders, string folder)
    {
        (ulong Device, ulong Number) wanted = FileStatus.IdentityOf(folder);
        return wanted != default && folders.Exists(one => FileStatus.IdentityOf(one) == wanted);
    }
}
