namespace Transport.Files;

/// <summary>Syncs what others have written into a staging: every file, and every directory bottom-up where asked. Links are not followed; a tree deeper than 1,000 directories is refused.</summary>
internal sealed class TreeSync
{
    private const int Deepest = 1000;
    private readonly UnixCalls _calls;
    private readonly bool _directories;

    private TreeSync(UnixCalls calls, bool directories)
    {
        _calls = calls;
        _directories = directories;
    }

    /// <exception cref="FileCallException">Something could not be synced, or a directory not be listed.</exception>
    public static void Run(UnixCalls calls, int directory, string name, bool directories) =>
        new TreeSync(calls, directories).Run(directory, name, name, 0);

    private void Run(int directory, string name, string path, int depth)
    {
        Check(_calls.Look(directory, name, out UnixStatus status), path);
        if (!status.IsDirectory && !status.IsFile)
        {
            return;
        }

        if (depth > Deepest)
        {
            throw new FileCallException("sync", TransportFault.FileFailed, "the tree is too deep to be synced");
        }

        int fd = _calls.Open(directory, name, Libc.ReadOnly | Libc.NoFollow);
        Check(fd, path);
        try
        {
            if (status.IsDirectory)
            {
                // A name that is not listed would be published unsynced.
                Check(-DirectoryListing.TryRead(_calls, fd, out var entries), path);
                foreach ((string inner, bool _) in entries)
                {
                    Run(fd, inner, path + "/" + inner, depth + 1);
                }
            }

            if (status.IsFile || _directories)
            {
                Check(_calls.Sync(fd), path);
            }
        }
        finally
        {
            _ = _calls.Close(fd);
        }
    }

    private static void Check(int answer, string path)
    {
        if (answer < 0)
        {
            throw Errno.ExceptionOf("sync", -answer, path);
        }
    }
}
