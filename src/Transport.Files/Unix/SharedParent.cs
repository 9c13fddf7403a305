using UnixErrno = Transport.Errno;

namespace Transport.Files;

/// <summary>Whether another user may give entries of a directory other names: then a name proves nothing, and what is called like an
/// abandoned staging may be a private directory of this user's.</summary>
internal static class SharedParent
{
    private const uint Sticky = 0x200;

    /// <summary>Looks at an open directory.</summary>
    public static bool Is(int fd) => FileStatus.Read(fd, out FileStatus status) != UnixErrno.None || Is(status);

    /// <summary>Looks at a directory by its path; on Windows nobody else may.</summary>
    public static bool Is(string path) =>
        !Platform.IsWindows && (FileStatus.Read(path, out FileStatus status) != UnixErrno.None || Is(status));

    /// <summary>The owner may always, root too; in a directory with the sticky bit nobody else.</summary>
    private static bool Is(in FileStatus status) => (status.User != 0 && status.User != Libc.geteuid())
        || ((status.Mode & Sticky) == 0 && status.OthersMayWrite);
}
