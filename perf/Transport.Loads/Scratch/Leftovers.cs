using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Loads.Scratch;

/// <summary>What processes of this program left behind: found by its name, unmounted, removed. Only this user's own, and never through a
/// link. Does nothing if the system is not Linux.</summary>
/// <param name="parents">Where to look.</param>
internal sealed class Leftovers(IReadOnlyList<string> parents)
{
    /// <summary>Removes what belongs to processes that are no more.</summary>
    /// <returns>What could not be removed.</returns>
    public IReadOnlyList<string> RemoveOfTheExited() =>
        Remove(process => !Directory.Exists(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}")));

    /// <summary>Removes what belongs to some processes.</summary>
    /// <param name="whose">Chooses them by their ids.</param>
    /// <returns>What could not be removed.</returns>
    public IReadOnlyList<string> Remove(Predicate<int> whose)
    {
        if (!OperatingSystem.IsLinux())
        {
            return [];
        }

        var left = new List<string>();
        foreach (string path in parents.SelectMany(Named).Where(p => ScratchPath.ProcessOf(p) is { } process && whose(process)))
        {
            if (FileOwner.IsOwnFolder(path) is { } isFolder && !TryRemove(path, isFolder))
            {
                left.Add(path);
            }
        }

        return left;
    }

    private static string[] Named(string parent)
    {
        try
        {
            return Directory.GetFileSystemEntries(parent, ScratchPath.Prefix + "*");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];   // gone, or not for us
        }
    }

    private static bool TryRemove(string path, bool isFolder)
    {
        try
        {
            if (!isFolder)
            {
                File.Delete(path);
                return true;
            }

            if (!Mounts.TryUnmountAllIn(path))
            {
                return false;
            }

            Directory.Delete(path, recursive: true);
            return true;
        }
        catch (DirectoryNotFoundException)
        {
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;   // somebody still writes into it
        }
    }
}
