namespace Transport.Files;

/// <summary>An earlier tree on Linux. Safe for any thread.</summary>
/// <param name="calls">The system calls.</param>
/// <param name="root">The root's handle, closed with this.</param>
internal sealed class UnixEarlierTree(UnixCalls calls, int root) : IEarlierTree
{
    private readonly int _umask = Umask.Read();
    private readonly uint _user = Libc.geteuid();

    // Only ever set, by any thread, when a link fails. A thread that reads the old value compares one file in vain.
    private volatile bool _cannotLink;

    /// <inheritdoc/>
    public IEarlierFile? Find(string path, int mode, FileTime modified, long? length)
    {
        if (_cannotLink || path.IndexOf('\0') >= 0)
        {
            return null;
        }

        int fd = calls.OpenBeneath(root, path, LinuxFlags.ReadOnly | LinuxFlags.NoFollow | LinuxFlags.NoWait);
        if (fd < 0)
        {
            return null;
        }

        if (calls.Look(fd, string.Empty, out UnixStatus status) >= 0
            && status.IsFile && status.Names == 1 && status.User == _user
            && status.Permissions == (mode & ~_umask) && status.Modified == modified && (length ?? status.Size) == status.Size)
        {
            return new UnixEarlierFile(this, calls, fd, status);
        }

        _ = calls.Close(fd);
        return null;
    }

    /// <summary>Stops looking for files: they cannot get further names here (another file system, no /proc).</summary>
    public void GiveUp() => _cannotLink = true;

    /// <inheritdoc/>
    public void Dispose() => _ = calls.Close(root);
}
