using System;
using System.IO;
using System.Threading;

namespace Transport.Files;

/// <summary>The ordinary way, by paths: Windows and macOS. Links are looked for before a directory is used, not refused by the system as on Linux, and modes are the system's own.</summary>
internal sealed class ManagedTree(ManagedCalls calls, string root, bool isOwn, Retries retries) : OutputTree
{
    private long _made;

    public override long FoldersMade => Volatile.Read(ref _made);

    public override OpenFile CreateFile(Folder parent, string name, int mode, FileIo io)
    {
        MakeFolder(parent);
        string path = PathOf(parent, name);
        return ManagedCalls.Run("create", path, retries, () => ManagedFile.Create(path, io));
    }

    public override void MakeFolder(Folder folder)
    {
        lock (folder)
        {
            if (folder.IsThere)
            {
                return;
            }

            if (folder.Parent is { } parent)
            {
                MakeFolder(parent);
            }

            string path = PathOf(folder);
            ManagedCalls.Run("directory", path, retries, () => MakeOne(folder, path));
            folder.IsThere = true;
        }
    }

    public override void MakeSymbolicLink(Folder parent, string name, string target, FileTime? modified)
    {
        MakeFolder(parent);
        NetStandardFiles.MakeLink(PathOf(parent, name), target);
    }

    public override void MakeHardLink(Folder parent, string name, Folder fromParent, string fromName) =>
        throw new FileCallException("link", TransportFault.FileFailed, "hard links are made on Linux only");

    public override void FinishFolder(Folder folder, FileTime? modified, bool sync)
    {
        if (!folder.IsThere && !folder.IsNamed && folder.Parent is not null)
        {
            return; // nothing came of it
        }

        MakeFolder(folder);
        if (modified is { } time)
        {
            ManagedCalls.Run("times", PathOf(folder), retries, () =>
            {
                Directory.SetLastWriteTimeUtc(PathOf(folder), time.ToDateTimeOffset().UtcDateTime);
                return true;
            });
        }

        if (sync)
        {
            ManagedCalls.Run("sync", PathOf(folder), retries, () => calls.SyncDirectory(PathOf(folder)));
        }
    }

    public override void Dispose()
    {
    }

    private bool MakeOne(Folder folder, string path)
    {
        bool isThere = Directory.Exists(path);
        if (isThere && isOwn && folder.Parent is not null)
        {
            throw new FileCallException("directory", TransportFault.FileExists, "it is there already, under a name that this file system does not tell from this one");
        }

        if (!isThere)
        {
            Directory.CreateDirectory(path);
            Interlocked.Increment(ref _made);
        }

        if (folder.Parent is not null && (File.GetAttributes(path) & FileAttributes.ReparsePoint) != 0)
        {
            throw new FileCallException("directory", TransportFault.FilePathRefused, "it is a link, and nothing is written through one");
        }

        return true;
    }

    private string PathOf(Folder folder) => folder.Parent is null ? root : PathOf(folder.Parent, folder.Name);

    private string PathOf(Folder folder, string name)
    {
        ManagedCalls.CheckName(name);
        return Path.Combine(PathOf(folder), name);
    }
}
