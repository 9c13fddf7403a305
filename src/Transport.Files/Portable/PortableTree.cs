using System.IO;

namespace Transport.Files;

/// <summary>A tree by paths.</summary>
/// <remarks>One lock guards the counter and the state of all directories, so each directory is created once.</remarks>
/// <param name="calls">The calls of .NET.</param>
/// <param name="root">The root's path.</param>
/// <param name="isOwn">Whether nobody else creates entries in this tree.</param>
/// <param name="retries">Counts retries.</param>
internal sealed class PortableTree(PortableCalls calls, string root, bool isOwn, Retries retries) : IOutputTree
{
    private const string SameName = "it is there already, under a name that this file system cannot distinguish from this one";
    private readonly object _gate = new();
    private long _created;

    /// <inheritdoc/>
    public long DirectoriesCreated
    {
        get
        {
            lock (_gate)
            {
                return _created;
            }
        }
    }

    /// <inheritdoc/>
    public IWritableFile CreateFile(Folder parent, string name, int mode, FileIo io)
    {
        CreateDirectory(parent);
        string path = PathOf(parent, name);
        return PortableCalls.Run("create", path, retries, () => PortableFile.Create(calls, path, io));
    }

    /// <inheritdoc/>
    public void CreateDirectory(Folder folder)
    {
        lock (_gate)
        {
            CreateLocked(folder);
        }
    }

    /// <inheritdoc/>
    public void CreateSymbolicLink(Folder parent, string name, string target, FileTime? modified)
    {
        CreateDirectory(parent);
        string path = PathOf(parent, name);
        PortableCalls.Run("link", path, retries, () => calls.CreateSymbolicLink(path, target));
    }

    /// <inheritdoc/>
    public void CreateHardLink(Folder parent, string name, Folder fromParent, string fromName) =>
        throw new FileCallException("link", TransportFault.FileFailed, "hard links are made on Linux only");

    /// <inheritdoc/>
    public bool TryTakeOver(Folder parent, string name, IEarlierFile file, bool sync) => false;

    /// <inheritdoc/>
    public void CompleteDirectory(Folder folder, FileTime? modified, bool sync)
    {
        if (!folder.IsThere && !folder.IsNamed && folder.Parent is not null)
        {
            return;
        }

        CreateDirectory(folder);
        string path = PathOf(folder);
        if (modified is { } time)
        {
            PortableCalls.Run("times", path, retries, () => calls.SetDirectoryTime(path, time));
        }

        if (sync)
        {
            PortableCalls.Run("sync", path, retries, () => calls.SyncDirectory(path));
        }
    }

    /// <inheritdoc/>
    public void LetGo()
    {
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }

    private void CreateLocked(Folder folder)
    {
        if (folder.IsThere)
        {
            return;
        }

        if (folder.Parent is { } parent)
        {
            CreateLocked(parent);
        }

        string path = PathOf(folder);
        PortableCalls.Run("directory", path, retries, () => CreateOne(folder, path));
        folder.IsThere = true;
    }

    private void CreateOne(Folder folder, string path)
    {
        bool isThere = Directory.Exists(path);
        if (isThere && isOwn && folder.Parent is not null)
        {
            throw new FileCallException("directory", TransportFault.FileExists, SameName);
        }

        if (!isThere)
        {
            if (folder.Parent is { } parent && !Directory.Exists(PathOf(parent)))
            {
                throw PortableErrors.DirectoryRemoved("directory"); // .NET would create it again
            }

            calls.CreateDirectory(path);
            _created++;
        }

        if (folder.Parent is not null && (File.GetAttributes(path) & FileAttributes.ReparsePoint) != 0)
        {
            const string Link = "it is a link, and nothing is written through one";
            throw new FileCallException("directory", TransportFault.FilePathRefused, Link);
        }
    }

    private string PathOf(Folder folder) => folder.Parent is null ? root : PathOf(folder.Parent, folder.Name);

    private string PathOf(Folder folder, string name)
    {
        PortableName.ThrowIfRefused(name);
        return Path.Combine(PathOf(folder), name);
    }
}
