using System.Collections.Generic;

namespace Transport.Files;

/// <summary>
/// Syncs what other programs wrote into a staging: every file, and every directory bottom-up if asked to. Links are not followed.
/// </summary>
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

    /// <summary>Syncs a file or a tree.</summary>
    /// <param name="calls">The system calls.</param>
    /// <param name="directory">The handle of its parent.</param>
    /// <param name="name">Its name.</param>
    /// <param name="directories">Whether directories are synced, too.</param>
    /// <exception cref="FileCallException">
    /// Something could not be synced, a directory could not be listed, or the tree has more than 1,000 levels.
    /// </exception>
    public static void Run(UnixCalls calls, int directory, string name, bool directories) =>
        new TreeSync(calls, directories).Run(directory, name, name, 0);

    private static void ThrowIfFailed(int answer, string path)
    {
        if (answer < 0)
        {
            throw Errno.ExceptionOf("sync", -answer, path);
        }
    }

    private void Run(int directory, string name, string path, int depth)
    {
        ThrowIfFailed(_calls.Look(directory, name, out UnixStatus status), path);
        if (!status.IsDirectory && !status.IsFile)
        {
            return;
        }

        if (depth > Deepest)
        {
            throw StagingErrors.TooDeep();
        }

        int fd = _calls.Open(directory, name, LinuxFlags.ReadOnly | LinuxFlags.NoFollow);
        ThrowIfFailed(fd, path);
        try
        {
            if (status.IsDirectory)
            {
                // A name that is not listed would be published without a sync.
                ThrowIfFailed(-DirectoryListing.TryRead(_calls, fd, out List<(string Name, bool IsDirectory)> entries), path);
                foreach ((string inner, bool _) in entries)
                {
                    Run(fd, inner, path + "/" + inner, depth + 1);
                }
            }

            if (status.IsFile || _directories)
            {
                ThrowIfFailed(_calls.Sync(fd), path);
            }
        }
        finally
        {
            _ = _calls.Close(fd);
        }
    }
}
