using System;
using System.Threading;

namespace Transport.Files;

/// <summary>
/// A staging on Linux: a directory of mode 0700, locked through its own handle. The system releases the lock when the process ends, however
/// it ends.
/// </summary>
internal sealed class UnixStaging : IStaging
{
    private const int Private = 0x1C0, ContentMode = 0x1FF; // 0700, 0777
    private const int MostAttempts = 100;
    private readonly UnixCalls _calls;
    private readonly Retries _retries;
    private readonly UnixTarget _target;
    private readonly string _name;
    private int _fd;
    private UnixTree? _tree;
    private int _content = -1;

    private UnixStaging(UnixCalls calls, UnixTarget target, string path, string name, int fd, Retries retries)
    {
        _calls = calls;
        _target = target;
        _name = name;
        _fd = fd;
        _retries = retries;
        Path = path;
    }

    /// <inheritdoc/>
    public string Path { get; }

    /// <inheritdoc/>
    public int AbandonedRemoved { get; private set; }

    /// <inheritdoc cref="IFileSystem.CreateStaging"/>
    public static UnixStaging Create(UnixCalls calls, string parent, string name, ExistingTarget existing, Retries retries)
    {
        var target = UnixTarget.Open(calls, parent, name, existing, retries);
        try
        {
            int removed = StagingCleaner.Run(calls, target.Parent, name);
            for (int i = 0; i < MostAttempts; i++)
            {
                string staging = StagingName.Create(name);
                if (TryCreate(calls, target.Parent, staging) is { } fd)
                {
                    string path = System.IO.Path.Combine(parent, staging);
                    return new UnixStaging(calls, target, path, staging, fd, retries) { AbandonedRemoved = removed };
                }
            }

            throw StagingErrors.RemovedAtOnce();
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public IOutputTree OpenTree(string? content)
    {
        if (!IsInPlace())
        {
            throw StagingErrors.StagingReplaced("directory");
        }

        if (content is null)
        {
            return _tree = OpenTree(_calls.Open(_fd, ".", LinuxFlags.ReadOnly | LinuxFlags.Directory));
        }

        Errno.ThrowIfFailed("directory", _calls.MakeDirectory(_fd, content, ContentMode | Private));
        int root = _calls.Open(_fd, content, LinuxFlags.ReadOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
        _content = root < 0 ? root : _calls.Open(root, ".", LinuxFlags.ReadOnly | LinuxFlags.Directory);
        if (_content < 0)
        {
            if (root >= 0)
            {
                _ = _calls.Close(root);
            }

            _ = _calls.Remove(_fd, content, isDirectory: true); // now, because listing it later may fail for the same reason
            Errno.ThrowIfFailed("directory", _content);
        }

        return _tree = OpenTree(root);
    }

    /// <inheritdoc/>
    public void Publish(string content, FileSync sync, bool isSynced)
    {
        if (!IsInPlace())
        {
            throw StagingErrors.StagingReplaced("publish");
        }

        if (!isSynced && sync != FileSync.None)
        {
            TreeSync.Run(_calls, _fd, content, sync == FileSync.All);
        }

        if (_content >= 0 && !IsSame(_content, _fd, content))
        {
            const string Replaced = "somebody replaced or moved the tree in the staging while it was filled";
            throw new FileCallException("publish", TransportFault.FileTreeChanged, Replaced);
        }

        _target.Take(_fd, content);
        if (_tree?.LateRootMode is { } mode)
        {
            _ = _calls.SetMode(_content, mode);
        }
    }

    /// <inheritdoc/>
    public void SyncTargetName(FileSync sync)
    {
        if (sync == FileSync.All)
        {
            _target.Sync();
        }
    }

    /// <inheritdoc/>
    public bool TryTakeAway(string content) =>
        IsInPlace() ? _target.TryTakeAway(_fd, content) : throw StagingErrors.StagingReplaced("remove");

    /// <inheritdoc/>
    public void GiveBack(string content) => _target.GiveBack(_fd, content);

    /// <inheritdoc/>
    public Exception? Remove(int? writers = null, CancellationToken cancellationToken = default)
    {
        CloseContent(); // emptying takes descriptors
        if (IsInPlace() && RemoveEmpty() == 0)
        {
            return null; // most often nothing is in it
        }

        int error = RemovalCrew.Empty(_calls, _fd, writers, cancellationToken);
        error = error == 0 && IsInPlace() ? RemoveEmpty() : error;
        return error == 0 ? null : Errno.Exception("remove", error);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_fd < 0)
        {
            return;
        }

        _ = _calls.Close(_fd);
        CloseContent();
        _target.Dispose();
        _fd = -1;
    }

    /// <summary>
    /// Creates a directory and locks it. A cleaner may come between the two and take it for an abandoned one; then this returns null, and
    /// another must be created.
    /// </summary>
    private static int? TryCreate(UnixCalls calls, int parent, string name)
    {
        int created = calls.MakeDirectory(parent, name, Private);
        if (created < 0)
        {
            return created == -Errno.Exists ? null : throw Errno.Exception("staging", -created);
        }

        int fd = calls.Open(parent, name, LinuxFlags.ReadOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
        if (fd >= 0)
        {
            // If a file system has no locks (NotSupported and others), cleaners cannot lock either, and leave everything alone.
            if (calls.Lock(fd) != -Errno.Again
                && calls.Look(fd, string.Empty, out UnixStatus own) >= 0
                && calls.Look(parent, name, out UnixStatus named) >= 0
                && own.IsSameAs(named))
            {
                return fd;
            }

            _ = calls.Close(fd);
        }

        if (fd is >= 0 or -Errno.NoEntry)
        {
            return null;
        }

        _ = calls.Remove(parent, name, isDirectory: true);
        throw Errno.Exception("staging", -fd);
    }

    private UnixTree OpenTree(int root)
    {
        Errno.ThrowIfFailed("directory", root);
        return new UnixTree(_calls, root, isOwn: true, _retries);
    }

    /// <summary>Removes what has the staging's name if it is an empty directory, and returns the error number, or 0.</summary>
    private int RemoveEmpty() => Math.Max(0, -_calls.Remove(_target.Parent, _name, isDirectory: true));

    private void CloseContent()
    {
        if (_content >= 0)
        {
            _ = _calls.Close(_content);
        }

        _content = -1;
    }

    private bool IsInPlace() => IsSame(_fd, _target.Parent, _name);

    private bool IsSame(int fd, int directory, string name) =>
        _calls.Look(fd, string.Empty, out UnixStatus own) >= 0
        && _calls.Look(directory, name, out UnixStatus named) >= 0
        && own.IsSameAs(named);
}
