using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;

namespace Transport.Journal;

/// <summary>Directories of a disk, by their paths.</summary>
internal interface IFolders
{
    bool Exists(string path);

    /// <summary>Makes a directory whose parent is there.</summary>
    void Make(string path);

    /// <summary>Makes a directory's entry in its parent durable.</summary>
    void SyncParent(string path);
}

/// <summary>Makes a directory, and those above it, so that a power cut leaves them.</summary>
internal static class DurableFolder
{
    /// <summary>
    /// Makes what is missing, from the top down, each entry synced before the next directory is made. So at most the deepest one that is
    /// there can lack its sync, if its maker died.
    /// </summary>
    public static void Make(IFolders folders, string path)
    {
        var missing = new Stack<string>();
        string at = path;
        while (!folders.Exists(at) && Path.GetDirectoryName(at) is { Length: > 0 } parent)
        {
            missing.Push(at);
            at = parent;
        }

        folders.SyncParent(at);
        while (missing.Count > 0)
        {
            string next = missing.Pop();
            folders.Make(next);
            folders.SyncParent(next);
        }
    }
}

/// <summary>The system's directories.</summary>
internal sealed class SystemFolders : IFolders
{
    public bool Exists(string path) => Directory.Exists(path);

    public void Make(string path) => Directory.CreateDirectory(path);

    public void SyncParent(string path)
    {
        if (!RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            UnixStore.SyncParentOf(path);
        }
    }
}
