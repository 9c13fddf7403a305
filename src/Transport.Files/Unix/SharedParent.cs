using Libc = Transport.Unix.Libc;
using FileStatus = Transport.Unix.FileStatus;
using UnixErrno = Transport.Unix.Errno;

namespace Transport.Files;

/// <summary>Whether another user may give entries of a directory other names: then a name proves nothing, and what is called like an
/// abandoned staging may be a private directory of this user's.</summary>
internal static class SharedParent
{
    private const uint OthersWrite = 0x02, GroupWrite = 0x10, Sticky = 0x200;

    /// <summary>Looks at an open directory.</summary>
    public static bool Is(int fd) => FileStatus.Read(fd, out FileStatus status) != UnixErrno.None || Is(status);

    /// <summary>Looks at a directory by its path; on Windows nobody else may.</summary>
    public static bool Is(string path) =>
        !Platform.IsWindows && (FileStatus.Read(path, out FileStatus status) != UnixErrno.None || Is(status));

    /// <summary>The owner may always, root too; in a directory with the sticky bit nobody else. The caller's own primary group counts as the
    /// caller: many systems give each user one.</summary>
    private static bool Is(in FileStatus status)
    {
        if (status.User != 0 && status.User != Libc.geteuid())
        {
            return true;
        }

        uint writers = status.Group == Libc.getegid() ? OthersWrite : OthersWrite | GroupWrite;
        return (status.Mode & Sticky) == 0 && (status.Mode & writers) != 0;
    }
}
