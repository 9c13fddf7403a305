using System;
using System.IO;
using System.Linq;

namespace Transport.Files;

/// <summary>Removes the stagings that killed runs for a target left behind, and puts back what they had taken away from it.</summary>
/// <remarks>Others may write to the parent, too: links, and on Unix what has another owner, are left alone, whatever their names.</remarks>
internal static class ManagedCleaner
{
    /// <summary>Cleans; what cannot be removed or put back stays.</summary>
    /// <returns>How many stagings are gone.</returns>
    public static int Run(ManagedCalls calls, string parent, string name, Retries retries)
    {
        string[] found;
        try
        {
            found = Directory.GetDirectories(parent);
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            return 0; // nothing else depends on it
        }

        string target = Path.Combine(parent, name);
        int removed = found.Count(path => StagingName.Fits(Path.GetFileName(path), name) && TryRemove(calls, path, name, target, retries));
        foreach (string path in found)
        {
            // A folder whose staging is gone was left by nobody who lives: a run removes its staging last.
            bool fits = StagingName.FitsReplaced(Path.GetFileName(path), name, out string staging);
            if (fits && !ManagedCalls.IsThere(Path.Combine(parent, staging)))
            {
                var replaced = new ReplacedContent(calls, Path.Combine(parent, staging), name, UnixLook.Caller, retries);
                Try(() => replaced.Settle(target, isPublished: false));
            }
        }

        return removed;
    }

    private static bool TryRemove(ManagedCalls calls, string path, string name, string target, Retries retries)
    {
        if (!ManagedCalls.IsDirectory(path) || StagingLock.TryTake(path, name, isOwn: false) is not { } hold)
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
                    replaced.Settle(target, isPublished: !ManagedCalls.IsThere(Path.Combine(path, name)));
                }

                if (replaced.IsThere)
                {
                    throw new IOException("What it had taken away can neither go back nor be removed, so it stays as it is.");
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

                // Not recursive: a run that has just made this staging has taken its lock by now, and keeps it.
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
