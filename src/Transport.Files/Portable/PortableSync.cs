using System;
using System.IO;

namespace Transport.Files;

/// <summary>
/// Syncs what other programs wrote into a staging: every file, and every directory bottom-up if asked to. Links are not followed.
/// </summary>
internal static class PortableSync
{
    private const int Deepest = 1000;

    /// <summary>Syncs a file or a tree.</summary>
    /// <param name="calls">The calls of .NET.</param>
    /// <param name="path">Its path.</param>
    /// <param name="name">Its name for messages.</param>
    /// <param name="directories">Whether directories are synced, too.</param>
    /// <param name="depth">The levels above it.</param>
    /// <exception cref="FileCallException">
    /// Something could not be synced, a directory could not be listed, or the tree has more than 1,000 levels.
    /// </exception>
    public static void Run(PortableCalls calls, string path, string name, bool directories, int depth = 0)
    {
        if (depth > Deepest)
        {
            throw StagingErrors.TooDeep();
        }

        try
        {
            if (!PortableCalls.IsDirectory(path))
            {
                if ((File.GetAttributes(path) & FileAttributes.ReparsePoint) == 0)
                {
                    calls.SyncFile(path);
                }

                return;
            }

            foreach (string entry in Directory.GetFileSystemEntries(path))
            {
                Run(calls, entry, name + "/" + Path.GetFileName(entry), directories, depth + 1);
            }

            if (directories)
            {
                calls.SyncDirectory(path);
            }
        }
        catch (Exception failed) when (PortableErrors.IsFromSystem(failed))
        {
            string why = $"{failed.Message}: '{TerminalText.Escape(name)}'";
            throw new FileCallException("sync", TransportFault.FileFailed, why, failed.HResult, failed);
        }
    }
}
