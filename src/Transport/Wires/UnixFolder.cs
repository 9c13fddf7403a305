using System;

namespace Transport;

/// <summary>Folders as the kernel shows them: who owns them and which mode they have.</summary>
internal static class UnixFolder
{
    private const int Others = 0x3F, OthersWrite = 0x12;   // 0077, 0022

    /// <summary>Makes the folder with mode 0700 if it is missing; one that is there is left as it is.</summary>
    public static Errno TryCreate(string path)
    {
        // The mode goes with mkdir itself: there is no moment in which the folder stands open.
        Errno error = FilePath.TryCreateDirectory(path, FilePath.OwnerOnlyDirectory);
        return error == Errno.EEXIST ? Errno.None : error;
    }

    /// <summary>Returns why the folder is not private to the user, or null. A symbolic link is not followed.</summary>
    public static string? PrivacyFault(string path, uint user)
    {
        if (FolderFault(path, user, out FileStatus status) is { } fault)
        {
            return fault;
        }

        return (status.Permissions & Others) == 0 ? null
            : $"its mode is 0{Convert.ToString(status.Permissions, 8)}, and 0700 is needed";
    }

    /// <summary>Whether nobody but the user can put something into the folder.</summary>
    public static bool OnlyWrittenBy(string path, uint user) => FolderFault(path, user, out FileStatus status) is null
        && (status.Permissions & OthersWrite) == 0;

    private static string? FolderFault(string path, uint user, out FileStatus status)
    {
        Errno error = FileStatus.ReadLink(path, out status);
        return error != Errno.None ? "it cannot be looked at: " + error.Describe()
            : status.Kind == FileKind.SymbolicLink ? "it is a symbolic link, and the folder itself is needed"
            : status.Kind != FileKind.Directory ? "it is no folder"
            : status.User == user ? null
            : $"it belongs to user id {status.User}, and this process runs as {user}";
    }
}
