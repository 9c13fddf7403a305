using System.Collections.Generic;

namespace Transport.Files;

/// <summary>Removes the stagings that killed runs for a target left behind, and nothing else: right name, a directory of this user with mode 0700, locked by nobody.</summary>
internal static class StagingCleaner
{
    private const int Private = 0x1C0, SetGroup = 0x400; // 0700, 02000

    /// <summary>Removes them; what cannot be removed stays.</summary>
    /// <returns>How many are gone.</returns>
    public static int Run(UnixCalls calls, int parent, string target)
    {
        // A parent that cannot be listed is not cleaned, or not all of it: nothing else depends on it.
        int removed = 0;
        _ = DirectoryListing.TryRead(calls, parent, out List<(string Name, bool IsDirectory)> entries);
        foreach ((string name, bool _) in entries)
        {
            if (StagingName.Fits(name, target) && TryRemove(calls, parent, name))
            {
                removed++;
            }
        }

        return removed;
    }

    private static bool TryRemove(UnixCalls calls, int parent, string name)
    {
        int fd = calls.Open(parent, name, Libc.ReadOnly | Libc.Directory | Libc.NoFollow);
        if (fd < 0)
        {
            return false;
        }

        try
        {
            return calls.Look(fd, string.Empty, out UnixStatus status) >= 0
                && status.User == Libc.geteuid()
                && (status.Permissions & ~SetGroup) == Private // a parent with this bit hands it down
                && calls.Lock(fd) >= 0
                && TreeRemover.Empty(calls, fd) == 0
                && calls.Look(parent, name, out UnixStatus named) >= 0
                && named.IsSameAs(status)
                && calls.Remove(parent, name, isDirectory: true) >= 0;
        }
        finally
        {
            _ = calls.Close(fd);
        }
    }
}
