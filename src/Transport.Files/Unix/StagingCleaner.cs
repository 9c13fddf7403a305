using System.Collections.Generic;

namespace Transport.Files;

/// <summary>
/// Removes the stagings of a target that killed runs abandoned: the right name, a directory of this user with mode 0700, locked by nobody.
/// Where others may change names (<see cref="SharedParent"/>) nothing is removed.
/// </summary>
internal static class StagingCleaner
{
    private const int Private = 0x1C0, SetGroup = 0x400; // 0700, 02000

    /// <summary>Removes them. What cannot be removed stays.</summary>
    /// <param name="calls">The system calls.</param>
    /// <param name="parent">The handle of the target's parent directory.</param>
    /// <param name="target">The target's name.</param>
    /// <returns>The number of stagings that were removed.</returns>
    public static int Run(UnixCalls calls, int parent, string target)
    {
        // A parent that cannot be listed is not cleaned, or only in part. Nothing else depends on it.
        int removed = 0;
        if (SharedParent.Is(parent))
        {
            return removed;
        }

        _ = DirectoryListing.TryRead(calls, parent, out List<(string Name, bool IsDirectory)> entries);
        foreach ((string name, bool _) in entries)
        {
            if (StagingName.IsStagingName(name, target) && TryRemove(calls, parent, name))
            {
                removed++;
            }
        }

        return removed;
    }

    private static bool TryRemove(UnixCalls calls, int parent, string name)
    {
        int fd = calls.Open(parent, name, LinuxFlags.ReadOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
        if (fd < 0)
        {
            return false;
        }

        try
        {
            return calls.Look(fd, string.Empty, out UnixStatus status) >= 0
                && status.User == Libc.geteuid()
                && (status.Permissions & ~SetGroup) == Private // a directory inherits this bit from its parent
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
