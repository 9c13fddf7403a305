namespace Transport.Files;

/// <summary>A tree on Linux: everything relative to handles of directories, so that nobody who changes paths meanwhile can lead a write elsewhere.</summary>
internal sealed class UnixTree : OutputTree
{
    private const int ImpliedMode = 0x1ED, NamedMode = 0x1FF, OwnerWrite = 0x80;
    private readonly UnixCalls _calls;
    private readonly Retries _retries;
    private readonly FolderHandles _folders;
    private readonly bool _isOwn;
    private readonly int _umask;

    public UnixTree(UnixCalls calls, int root, bool isOwn, Retries retries)
    {
        _calls = calls;
        _retries = retries;
        _isOwn = isOwn;
        _umask = Umask.Read();
        _folders = new FolderHandles(calls, root, isOwn, _umask, retries);
    }

    public override long FoldersMade => _folders.Made;

    /// <summary>Gets the root's mode where it can only be given after publishing: without the owner's right to write, a directory cannot be renamed into another.</summary>
    public int? LateRootMode { get; private set; }

    public static UnixTree Open(UnixCalls calls, string directory, Retries retries)
    {
        int root = calls.Open(Libc.Here, directory, Libc.ReadOnly | Libc.Directory);
        return root >= 0 ? new UnixTree(calls, root, isOwn: false, retries) : throw Errno.Exception("open", -root);
    }

    public override OpenFile CreateFile(Folder parent, string name, int mode, FileIo io)
    {
        bool isMapped = io == FileIo.Mmap;
        int flags = (isMapped ? Libc.ReadWrite : Libc.WriteOnly) | Libc.Create | Libc.Exclusive | Libc.NoFollow;
        int directory = _folders.Acquire(parent);
        try
        {
            for (int tries = 0; ;)
            {
                int fd = _calls.Open(directory, name, flags, mode);
                if (fd >= 0)
                {
                    return isMapped ? new MappedFile(_calls, fd) : new StreamFile(_calls, fd);
                }

                Retry(-fd, ref tries, "create", name);
            }
        }
        finally
        {
            _folders.Release(parent);
        }
    }

    public override void MakeFolder(Folder folder)
    {
        _folders.Acquire(folder);
        _folders.Release(folder);
    }

    public override void MakeSymbolicLink(Folder parent, string name, string target, FileTime? modified)
    {
        int directory = _folders.Acquire(parent);
        try
        {
            for (int tries = 0, made; (made = _calls.MakeSymbolicLink(target, directory, name)) < 0;)
            {
                Retry(-made, ref tries, "link", name);
            }

            if (modified is { } time)
            {
                Check("times", _calls.SetLinkTime(directory, name, time));
            }
        }
        finally
        {
            _folders.Release(parent);
        }
    }

    public override void MakeHardLink(Folder parent, string name, Folder fromParent, string fromName)
    {
        if (!fromParent.IsThere && fromParent.Parent is not null)
        {
            throw NothingToLink(fromParent, fromName);
        }

        int from = _folders.Acquire(fromParent);
        try
        {
            int directory = _folders.Acquire(parent);
            try
            {
                for (int tries = 0, made; (made = _calls.MakeHardLink(from, fromName, directory, name)) < 0;)
                {
                    if (-made == Errno.NoEntry)
                    {
                        throw NothingToLink(fromParent, fromName);
                    }

                    Retry(-made, ref tries, "link", name);
                }
            }
            finally
            {
                _folders.Release(parent);
            }
        }
        finally
        {
            _folders.Release(fromParent);
        }
    }

    public override bool TryTakeOver(Folder parent, string name, EarlierFile file, bool sync)
    {
        int directory = _folders.Acquire(parent);
        try
        {
            return file.TryLink(directory, name, sync);
        }
        finally
        {
            _folders.Release(parent);
        }
    }

    public override void FinishFolder(Folder folder, FileTime? modified, bool sync)
    {
        if (!folder.IsThere && !folder.IsNamed && folder.Parent is not null)
        {
            return;
        }

        int fd = _folders.Acquire(folder);
        try
        {
            if (_isOwn)
            {
                _folders.CheckPlace(folder);
            }

            SetMode(folder, fd);
            if (modified is { } time)
            {
                Check("times", _calls.SetTime(fd, time));
            }

            if (sync)
            {
                Check("sync", _calls.Sync(fd));
            }
        }
        finally
        {
            _folders.Release(folder);
        }
    }

    public override void Dispose() => _folders.Dispose();

    /// <summary>A directory that this run has made and that has its mode by then needs no call; one that was there before gets only what was asked for.</summary>
    private void SetMode(Folder folder, int fd)
    {
        bool isMade = folder.MadeMode >= 0;
        if (folder.Mode < 0 && !isMade)
        {
            return;
        }

        int mode = (folder.Mode >= 0 ? folder.Mode : folder.IsNamed ? NamedMode : ImpliedMode) & ~_umask;
        if (folder.Parent is null && _isOwn && (mode & OwnerWrite) == 0)
        {
            LateRootMode = mode;
        }
        else if (!isMade || mode != folder.MadeMode)
        {
            Check("mode", _calls.SetMode(fd, mode));
        }
    }

    private void Retry(int errno, ref int tries, string operation, string name)
    {
        if (!Errno.IsMoment(errno) || !_retries.Again(ref tries, name))
        {
            throw Errno.MakingException(operation, errno);
        }
    }

    /// <summary>The failure is of the new name, and what is missing is the other.</summary>
    private static FileCallException NothingToLink(Folder from, string name) =>
        new("link", TransportFault.FileFailed, $"{Errno.Text(Errno.NoEntry)}: '{EntryName.Escape(from.PathOf(name))}'", Errno.NoEntry);

    private static void Check(string operation, int answer)
    {
        if (answer < 0)
        {
            throw Errno.Exception(operation, -answer);
        }
    }
}
