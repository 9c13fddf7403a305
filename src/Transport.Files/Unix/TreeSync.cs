using Transport.Files.Trees;

namespace Transport.Files.Unix;

/// <summary>Syncs what others have written into a staging: every file, and every directory bottom-up where asked. Links are not followed; a tree deeper than 1,000 directories is refused.</summary>
internal static class TreeSync
{
    private const int Deepest = 1000;

    public static void Run(UnixCalls calls, int directory, string name, bool directories, int depth = 0)
    {
        Check(calls.Look(directory, name, out UnixStatus status));
        if (!status.IsDirectory && !status.IsFile)
        {
            return;
        }

        if (depth > Deepest)
        {
            throw new FileCallException("sync", TransportFault.FileFailed, "the tree is too deep to be synced");
        }

        int fd = calls.Open(directory, name, Libc.ReadOnly | Libc.NoFollow);
        Check(fd);
        try
        {
            if (status.IsDirectory)
            {
                foreach ((string inner, bool _) in DirectoryListing.Read(calls, fd))
                {
                    Run(calls, fd, inner, directories, depth + 1);
                }
            }

            if (status.IsFile || directories)
            {
                Check(calls.Sync(fd));
            }
        }
        finally
        {
            _ = calls.Close(fd);
        }
    }

    private static void Check(int answer)
    {
        if (answer < 0)
        {
            throw Errno.Exception("sync", -answer);
        }
    }
}
