using System;

namespace Transport.Files;

/// <summary>A staging on Linux: a directory of mode 0700, held by a lock on its own handle, which the system lets go when the process ends, however it ends.</summary>
internal sealed class UnixStaging : IStaging
{
    private const int Private = 0x1C0, ContentMode = 0x1FF; // 0700, 0777
    private const int MostTries = 100;
    private readonly UnixCalls _calls;
    private readonly Retries _retries;
    private readonly UnixTarget _target;
    private readonly string _name;
    private int _fd;
    private UnixTree? _tree;
    private int _content = -1;

    private UnixStaging(UnixCalls calls, UnixTarget target, string path, string name, int fd, int removed, Retries retries)
    {
        _calls = calls;
        _target = target;
        _name = name;
        _fd = fd;
        _retries = retries;
        Path = path;
        Removed = removed;
    }

    public string Path { get; }

    public int Removed { get; }

    public static UnixStaging Make(UnixCalls calls, string parent, string name, ExistingTarget existing, Retries retries)
    {
        var target = UnixTarget.Open(calls, parent, name, existing, retries);
        try
        {
            int removed = StagingCleaner.Run(calls, target.Parent, name);
            for (int i = 0; i < MostTries; i++)
            {
                string staging = StagingName.New(name);
                if (TryMake(calls, target.Parent, staging) is { } fd)
                {
                    return new UnixStaging(calls, target, System.IO.Path.Combine(parent, staging), staging, fd, removed, retries);
                }
            }

            throw new FileCallException("staging", TransportFault.FileFailed, "each staging was removed by somebody else as soon as it was made");
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }

    public OutputTree OpenTree(string? content)
    {
        int root;
        if (content is null)
        {
            root = _calls.Open(_fd, ".", Libc.ReadOnly | Libc.Directory);
        }
        else
        {
            int made = _calls.MakeDirectory(_fd, content, ContentMode | Private);
            root = made < 0 ? made : _calls.Open(_fd, content, Libc.ReadOnly | Libc.Directory | Libc.NoFollow);
            _content = root < 0 ? -1 : _calls.Open(root, ".", Libc.ReadOnly | Libc.Directory);
        }

        return root < 0 ? throw Errno.Exception("directory", -root) : _tree = new UnixTree(_calls, root, isOwn: true, _retries);
    }

    public void Publish(string content, FileSync sync, bool isSynced)
    {
        if (!IsInPlace())
        {
            throw new FileCallException("publish", TransportFault.FileTreeChanged, "somebody replaced or moved the staging while it was filled");
        }

        if (!isSynced && sync != FileSync.None)
        {
            TreeSync.Run(_calls, _fd, content, sync == FileSync.All);
        }

        if (_content >= 0 && !IsContent(content))
        {
            throw new FileCallException("publish", TransportFault.FileTreeChanged, "somebody replaced or moved the tree in the staging while it was filled");
        }

        _target.Take(_fd, content);
        if (_tree?.LateRootMode is { } mode)
        {
            _ = _calls.SetMode(_content, mode);
        }
    }

    public void SyncName(FileSync sync)
    {
        if (sync == FileSync.All)
        {
            _target.Sync();
        }
    }

    public Exception? Remove()
    {
        int error = TreeRemover.Empty(_calls, _fd);
        if (error == 0 && IsInPlace())
        {
            int removed = _calls.Remove(_target.Parent, _name, isDirectory: true);
            error = removed < 0 ? -removed : 0;
        }

        return error == 0 ? null : Errno.Exception("remove", error);
    }

    public void Dispose()
    {
        if (_fd >= 0)
        {
            _ = _calls.Close(_fd);
            if (_content >= 0)
            {
                _ = _calls.Close(_content);
            }

            _target.Dispose();
            _fd = -1;
        }
    }

    /// <summary>Makes a staging and locks it. Between the two a cleaner may take it for a dead one: then it is gone, or locked by the cleaner, and another must be made.</summary>
    private static int? TryMake(UnixCalls calls, int parent, string name)
    {
        int made = calls.MakeDirectory(parent, name, Private);
        if (made < 0)
        {
            return made == -Errno.Exists ? null : throw Errno.Exception("staging", -made);
        }

        int fd = calls.Open(parent, name, Libc.ReadOnly | Libc.Directory | Libc.NoFollow);
        if (fd >= 0)
        {
            // Where a file system has no locks (NotSupported and others), cleaners cannot lock either, and leave everything alone.
            if (calls.Lock(fd) != -Errno.Again
                && calls.Look(fd, string.Empty, out UnixStatus own) >= 0
                && calls.Look(parent, name, out UnixStatus named) >= 0
                && own.IsSameAs(named))
            {
                return fd;
            }

            _ = calls.Close(fd);
        }

        return fd is >= 0 or -Errno.NoEntry ? null : throw Errno.Exception("staging", -fd);
    }

    private bool IsInPlace() => IsSame(_fd, _target.Parent, _name);

    private bool IsContent(string content) => IsSame(_content, _fd, content);

    private bool IsSame(int fd, int directory, string name) =>
        _calls.Look(fd, string.Empty, out UnixStatus own) >= 0 && _calls.Look(directory, name, out UnixStatus named) >= 0 && own.IsSameAs(named);
}
