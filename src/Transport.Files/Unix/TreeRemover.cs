using System;
using System.Collections.Generic;
using System.Globalization;

namespace Transport.Files;

/// <summary>Empties a directory through handles, on one thread. Links are never followed, even if the tree changes meanwhile, and what is
/// mounted in the tree is left alone.</summary>
/// <remarks>
/// A deep tree needs few handles: directories below <see cref="Deepest"/> levels, or below those for which there are handles, are moved to
/// the top under a new name, and removed there.
/// </remarks>
internal sealed class TreeRemover
{
    private const string MovedPrefix = ".d";
    private const int Deepest = 32;
    private const int OwnerAll = 0x1C0; // 0700
    private readonly UnixCalls _calls;
    private readonly int _top;
    private readonly ulong _device;
    private int _moved;
    private int _error;

    private TreeRemover(UnixCalls calls, int top)
    {
        _calls = calls;
        _top = top;
        _device = calls.Look(top, string.Empty, out UnixStatus status) >= 0 ? status.Device : 0;
    }

    /// <summary>Removes everything in a directory.</summary>
    /// <param name="calls">The system calls.</param>
    /// <param name="directory">The directory's handle.</param>
    /// <returns>0, or the error number of the first entry that could not be removed.</returns>
    public static int Empty(UnixCalls calls, int directory)
    {
        var remover = new TreeRemover(calls, directory);
        do
        {
            remover._moved = 0;
            _ = remover.TryRemoveAll(directory, 0);
        }
        while (remover._moved > 0 && remover._error == 0);
        return remover._error;
    }

    /// <summary>
    /// Removes what can be listed. If a listing fails, its error is recorded and the directory stays. Returns false, with nothing removed
    /// or recorded, if it failed for want of a handle and the directory can be moved up.
    /// </summary>
    private bool TryRemoveAll(int directory, int depth)
    {
        int error = DirectoryListing.TryRead(_calls, directory, out List<(string Name, bool IsDirectory)> entries);
        if (error != 0)
        {
            if (CanMoveUp(error, depth - 1))
            {
                return false;
            }

            Note(error);
        }

        foreach ((string name, bool isDirectory) in entries)
        {
            Remove(directory, name, isDirectory, depth);
        }

        return true;
    }

    /// <summary>A directory at the top cannot be moved up: then the error is final.</summary>
    private static bool CanMoveUp(int error, int depth) => depth > 0 && Errno.IsShortage(error);

    private void Remove(int directory, string name, bool isDirectory, int depth)
    {
        if (!isDirectory)
        {
            int removed = _calls.Remove(directory, name, isDirectory: false);
            if (removed is >= 0 or -Errno.NoEntry)
            {
                return;
            }

            if (removed is not (-Errno.IsDirectory or -Errno.NotPermitted))
            {
                Note(removed);
                return;
            }
        }

        int fd = depth < Deepest ? Open(directory, name) : -Errno.OpenFiles; // below that, as if there were no handle left
        if (fd < 0 && !CanMoveUp(-fd, depth))
        {
            Note(fd);
            return;
        }

        bool isListed = fd >= 0 && TryRemoveAll(fd, depth + 1);
        if (fd >= 0)
        {
            _ = _calls.Close(fd);
        }

        if (!isListed)
        {
            MoveUp(directory, name);
            return;
        }

        int gone = _calls.Remove(directory, name, isDirectory: true);
        if (gone is < 0 and not -Errno.NoEntry)
        {
            Note(gone);
        }
    }

    /// <summary>Opens a directory and gives its owner all rights, so that its entries can be removed.</summary>
    private int Open(int directory, string name)
    {
        int fd = _calls.Open(directory, name, LinuxFlags.ReadOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
        if (fd == -Errno.AccessDenied)
        {
            int path = _calls.Open(directory, name, LinuxFlags.PathOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
            if (path < 0)
            {
                return path;
            }

            _ = _calls.SetModeOfPath(path, OwnerAll);
            _ = _calls.Close(path);
            return _calls.Open(directory, name, LinuxFlags.ReadOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
        }

        if (fd < 0 || _calls.Look(fd, string.Empty, out UnixStatus status) < 0)
        {
            return fd;
        }

        if (status.Device != _device)
        {
            _ = _calls.Close(fd);
            return -Errno.OtherDevice;   // somebody has mounted it there: no part of the tree
        }

        if ((status.Permissions & OwnerAll) != OwnerAll)
        {
            _ = _calls.SetMode(fd, OwnerAll);
        }

        return fd;
    }

    private void MoveUp(int directory, string name)
    {
        for (int i = 0; ; i++)
        {
            string moved = MovedPrefix + (_moved + i).ToString(CultureInfo.InvariantCulture);
            int renamed = _calls.Rename(directory, name, _top, moved, LinuxFlags.NoReplace);
            if (renamed >= 0)
            {
                _moved += i + 1;
                return;
            }

            if (renamed != -Errno.Exists || i > 1_000_000)
            {
                Note(renamed);
                return;
            }
        }
    }

    private void Note(int answer) => _error = _error == 0 ? Math.Abs(answer) : _error;
}
