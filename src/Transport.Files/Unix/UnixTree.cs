namespace Transport.Files;

/// <summary>A tree on Linux. Every entry is created relative to the handle of its directory.</summary>
internal sealed class UnixTree : IOutputTree
{
    private const int ImpliedMode = 0x1ED, NamedMode = 0x1FF, OwnerWrite = 0x80; // 0755, 0777, 0200
    private readonly UnixCalls _calls;
    private readonly Retries _retries;
    private readonly FolderHandles _folders;
    private readonly bool _isOwn;
    private readonly int _umask;

    /// <summary>Initializes a new instance of the <see cref="UnixTree"/> class.</summary>
    /// <param name="calls">The system calls.</param>
    /// <param name="root">The root's handle, closed with this tree.</param>
    /// <param name="isOwn">Whether nobody else creates entries in this tree.</param>
    /// <param name="retries">Counts retries.</param>
    public UnixTree(UnixCalls calls, int root, bool isOwn, Retries retries)
    {
        _calls = calls;
        _retries = retries;
        _isOwn = isOwn;
        _umask = Umask.Read();
        _folders = new FolderHandles(calls, root, isOwn, _umask, retries);
    }

    /// <inheritdoc/>
    public long DirectoriesCreated => _folders.Created;

    /// <summary>
    /// Gets the root's mode if it can only be set after publishing: a directory without its owner's right to write cannot be renamed into
    /// another directory.
    /// </summary>
    public int? LateRootMode { get; private set; }

    /// <inheritdoc/>
    public IWritableFile CreateFile(Folder parent, string name, int mode, FileIo io)
    {
        bool isMapped = io == FileIo.Mmap;
        int flags = (isMapped ? LinuxFlags.ReadWrite : LinuxFlags.WriteOnly)
            | LinuxFlags.Create | LinuxFlags.Exclusive | LinuxFlags.NoFollow;
        using FolderHandles.Lease directory = _folders.Acquire(parent);
        for (int attempts = 0; ;)
        {
            int fd = _calls.Open(directory.Fd, name, flags, mode);
            if (fd >= 0)
            {
                return isMapped ? new MappedFile(_calls, fd) : new UnixFile(_calls, fd);
            }

            if (!_folders.MakesRoomFor(fd, ref attempts, name))
            {
                PauseOrThrow(-fd, ref attempts, "create", name);
            }
        }
    }

    /// <inheritdoc/>
    public void CreateDirectory(Folder folder) => _folders.Acquire(folder).Dispose();

    /// <inheritdoc/>
    public void CreateSymbolicLink(Folder parent, string name, string target, FileTime? modified)
    {
        using FolderHandles.Lease directory = _folders.Acquire(parent);
        for (int attempts = 0, created; (created = _calls.MakeSymbolicLink(target, directory.Fd, name)) < 0;)
        {
            PauseOrThrow(-created, ref attempts, "link", name);
        }

        if (modified is { } time)
        {
            Errno.ThrowIfFailed("times", _calls.SetLinkTime(directory.Fd, name, time));
        }
    }

    /// <inheritdoc/>
    public void CreateHardLink(Folder parent, string name, Folder fromParent, string fromName)
    {
        if (!fromParent.IsThere && fromParent.Parent is not null)
        {
            throw NothingToLink(fromParent, fromName);
        }

        using FolderHandles.Lease from = _folders.Acquire(fromParent);
        using FolderHandles.Lease directory = _folders.Acquire(parent);
        for (int attempts = 0, created; (created = _calls.MakeHardLink(from.Fd, fromName, directory.Fd, name)) < 0;)
        {
            if (-created == Errno.NoEntry)
            {
                throw NothingToLink(fromParent, fromName);
            }

            PauseOrThrow(-created, ref attempts, "link", name);
        }
    }

    /// <inheritdoc/>
    public bool TryTakeOver(Folder parent, string name, IEarlierFile file, bool sync)
    {
        using FolderHandles.Lease directory = _folders.Acquire(parent);
        return ((UnixEarlierFile)file).TryLink(directory.Fd, name, sync);
    }

    /// <inheritdoc/>
    public void CompleteDirectory(Folder folder, FileTime? modified, bool sync)
    {
        if (!folder.IsThere && !folder.IsNamed && folder.Parent is not null)
        {
            return;
        }

        using FolderHandles.Lease directory = _folders.Acquire(folder);
        if (_isOwn)
        {
            _folders.ThrowIfReplaced(folder);
        }

        SetMode(folder, directory.Fd);
        if (modified is { } time)
        {
            Errno.ThrowIfFailed("times", _calls.SetTime(directory.Fd, time));
        }

        if (sync)
        {
            Errno.ThrowIfFailed("sync", _calls.Sync(directory.Fd));
        }
    }

    /// <inheritdoc/>
    public void LetGo() => _ = _folders.LetGo();

    /// <inheritdoc/>
    public void Dispose() => _folders.Dispose();

    /// <summary>The failure is of the new name, and what is missing is the other name.</summary>
    private static FileCallException NothingToLink(Folder from, string name) =>
        new("link", TransportFault.FileFailed, $"{Errno.Text(Errno.NoEntry)}: '{TerminalText.Escape(from.PathOf(name))}'", Errno.NoEntry);

    /// <summary>
    /// Sets a directory's mode unless it was created with it. A directory that existed before gets a mode only if one was asked for.
    /// </summary>
    private void SetMode(Folder folder, int fd)
    {
        bool isCreated = folder.MadeMode >= 0;
        if (folder.Mode < 0 && !isCreated)
        {
            return;
        }

        int mode = (folder.Mode >= 0 ? folder.Mode : folder.IsNamed ? NamedMode : ImpliedMode) & ~_umask;
        if (folder.Parent is null && _isOwn && (mode & OwnerWrite) == 0)
        {
            LateRootMode = mode;
        }
        else if (!isCreated || mode != folder.MadeMode)
        {
            Errno.ThrowIfFailed("mode", _calls.SetMode(fd, mode));
        }
    }

    private void PauseOrThrow(int errno, ref int attempts, string operation, string name)
    {
        if (!Errno.IsMoment(errno) || !_retries.TryPause(ref attempts, name))
        {
            throw Errno.CreationException(operation, errno);
        }
    }
}
