using System;
using System.IO;
using System.Linq;

namespace Transport.Files;

/// <summary>Removes the stagings of a target that killed runs abandoned, and moves back what they took away from it.</summary>
/// <remarks>Links, and on Unix entries of another owner, are left alone; where others may change names
/// (<see cref="SharedParent"/>), everything is.</remarks>
internal static class PortableCleaner
{
    /// <summary>Cleans. What cannot be removed or moved back stays.</summary>
    /// <param name="calls">The calls of .NET.</param>
    /// <param name="parent">The target's parent directory.</param>
    /// <param name="name">The target's name.</param>
    /// <param name="retries">Counts retries.</param>
    /// <returns>The number of stagings that were removed.</returns>
    public static int Run(PortableCalls calls, string parent, string name, Retries retries)
    {
        if (SharedParent.Is(parent))
        {
            return 0;
        }

        string[] found;
        try
        {
            found = Directory.GetDirectories(parent);
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            return 0; // nothing else depends on the cleaning
        }

        string target = Path.Combine(parent, name);
        int removed = found.Count(path =>
            StagingName.IsStagingName(Path.GetFileName(path), name) && TryRemove(calls, path, name, target, retries));
        foreach (string path in found)
        {
            // A directory whose staging is gone belongs to no live run: a run removes its staging last.
            bool fits = StagingName.IsReplacedName(Path.GetFileName(path), name, out string staging);
            if (fits && !PortableCalls.IsThere(Path.Combine(parent, staging)))
            {
                var replaced = new ReplacedContent(calls, Path.Combine(parent, staging), name, UnixLook.Caller, retries);
                Try(() => replaced.Settle(target, isPublished: false));
            }
        }

        return removed;
    }

    private static bool TryRemove(PortableCalls calls, string path, string name, string target, Retries retries)
    {
        if (!PortableCalls.IsDirectory(path) || StagingLock.TryTake(path, name, isOwn: false) is not { } hold)
        {
            return false;
        }

        using (hold)
        {
            return Try(() =>
            {
                var replaced = new ReplacedContent(calls, path, name, hold.Owner, retries);
                if (replaced.IsThere)
                {
                    replaced.Settle(target, isPublished: !PortableCalls.IsThere(Path.Combine(path, name)));
                }

                if (replaced.IsThere)
                {
                    throw new IOException("The content it took away can neither be moved back nor be removed, so the staging stays.");
                }

                if (!Platform.IsWindows)
                {
                    calls.DeleteTree(path);
                    return;
                }

                string file = StagingLock.FileName(name);
                foreach (string entry in Directory.GetFileSystemEntries(path).Where(entry => Path.GetFileName(entry) != file))
                {
                    calls.DeleteTree(entry);
                }

                // Not recursive: a run that has just created this staging has locked it by now, and keeps it.
                hold.Dispose();
                Directory.Delete(path);
            });
        }
    }

    private static bool Try(Action action)
    {
        try
        {
            action();
            return true;
        }
        catch (Exception held) when (held is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
