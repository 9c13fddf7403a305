using System.Collections.Generic;
using System.IO;

namespace Transport.Journal;

/// <summary>What a directory of the system holds.</summary>
internal static class Listing
{
    /// <summary>Lists it; what goes away meanwhile, as a live journal's files do, is left out.</summary>
    public static IReadOnlyList<StoreEntry> Of(string path)
    {
        var entries = new List<StoreEntry>();
        foreach (FileSystemInfo entry in new DirectoryInfo(path).GetFileSystemInfos())
        {
            try
            {
                entries.Add(new StoreEntry(entry.Name, entry is FileInfo file ? file.Length : -1));
            }
            catch (FileNotFoundException)
            {
                // Renamed or removed since.
            }
        }

        return entries;
    }
}
