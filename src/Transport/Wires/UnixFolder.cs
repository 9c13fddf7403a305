using System;
using Mono.Unix.Native;

namespace Transport;

/// <summary>Folders and files as the kernel shows them: who owns them, what they are, which mode they have.</summary>
internal static class UnixFolder
{
    private const FilePermissions Others = FilePermissions.S_IRWXG | FilePermissions.S_IRWXO;
    private const FilePermissions OthersWrite = FilePermissions.S_IWGRP | FilePermissions.S_IWOTH;

    /// <summary>Makes the folder with mode 0700 if it is missing; one that is there is left as it is. Returns what went wrong, or
    /// null.</summary>
    public static string? Create(string path)
    {
        // The mode goes with mkdir itself: there is no moment in which the folder stands open.
        if (Syscall.mkdir(path, FilePermissions.S_IRWXU) == 0)
        {
            return null;
        }

        Errno error = Stdlib.GetLastError();
        return error == Errno.EEXIST ? null : "it cannot be made: " + Stdlib.strerror(error);
    }

    /// <summary>Returns why the folder is not private to the user, or null. A symbolic link is not followed.</summary>
    public static string? PrivacyFault(string path, uint user)
    {
        if (FolderFault(path, user, out Stat stat) is { } fault)
        {
            return fault;
        }

        FilePermissions mode = stat.st_mode & FilePermissions.ACCESSPERMS;
        return (mode & Others) == 0 ? null : $"its mode is 0{Convert.ToString((int)mode, 8)}, and 0700 is needed";
    }

    /// <summary>Whether nobody but the user can put something into the folder.</summary>
    public static bool OnlyWrittenBy(string path, uint user) => FolderFault(path, user, out Stat stat) is null
        && (stat.st_mode & OthersWrite) == 0;

    /// <summary>Tells what lies at a path, symbolic links not followed.</summary>
    public static bool TryLook(string path, out Stat stat) => Syscall.lstat(path, out stat) == 0;

    public static bool IsSocket(in Stat stat) => (stat.st_mode & FilePermissions.S_IFMT) == FilePermissions.S_IFSOCK;

    public static bool IsFile(in Stat stat) => (stat.st_mode & FilePermissions.S_IFMT) == FilePermissions.S_IFREG;

    private static string? FolderFault(string path, uint user, out Stat stat)
    {
        if (!TryLook(path, out stat))
        {
            return "it cannot be looked at: " + Stdlib.strerror(Stdlib.GetLastError());
        }

        FilePermissions kind = stat.st_mode & FilePermissions.S_IFMT;
        if (kind == FilePermissions.S_IFLNK)
        {
            return "it is a symbolic link, and the folder itself is needed";
        }

        if (kind != FilePermissions.S_IFDIR)
        {
            return "it is no folder";
        }

        return stat.st_uid == user ? null : $"it belongs to user id {stat.st_uid}, and this process runs as {user}";
    }
}
