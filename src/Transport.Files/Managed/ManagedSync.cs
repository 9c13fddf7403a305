using System;
using System.IO;

namespace Transport.Files;

/// <summary>Syncs what others have written into a staging: every file, and every directory bottom-up if asked; no links.</summary>
internal static class ManagedSync
{
    private const int Deepest = 1000;

    /// <exception cref="FileCallException">Something could not be synced, or a directory not be listed.</exception>
    public static void Run(ManagedCalls calls, string path, string name, bool directories, int depth = 0)
    {
        if (depth > Deepest)
        {
            throw new FileCallException("sync", TransportFault.FileFailed, "the tree is too deep to be synced");
        }

        try
        {
            if (!ManagedCalls.IsDirectory(path))
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
        catch (Exception failed) when (failed is not FileCallException && failed is IOException or UnauthorizedAccessException)
        {
            string why = $"{failed.Message}: '{EntryName.Escape(name)}'";
            throw new FileCallException("sync", TransportFault.FileFailed, why, failed.HResult, failed);
        }
    }
}
