using System;
using UnixErrno = Transport.Errno;

namespace Transport.Files;

/// <summary>Reads the owner and the identity of files on Unix, which .NET does not report. Links are not followed.</summary>
internal static class UnixLook
{
    /// <summary>Gets the user on whose behalf this process makes files; null on Windows.</summary>
    public static uint? Caller => Platform.IsWindows ? null : Libc.geteuid();

    /// <summary>Reads the status of a path.</summary>
    /// <param name="path">The path.</param>
    /// <returns>The status; null if nothing is there or the system does not report it.</returns>
    public static UnixStatus? At(string path)
    {
        try
        {
            return StatusOf(FileStatus.ReadLink(path, out FileStatus status), status);
        }
        catch (EntryPointNotFoundException)
        {
            return null;   // a C library without statx
        }
    }

    /// <summary>Reads the status of an open file or directory.</summary>
    /// <param name="handle">The handle.</param>
    /// <returns>The status; null if the system does not report it.</returns>
    public static UnixStatus? Of(DescriptorHandle handle)
    {
        try
        {
            return StatusOf(FileStatus.Read(handle.Fd, out FileStatus status), status);
        }
        catch (EntryPointNotFoundException)
        {
            return null;
        }
    }

    private static UnixStatus? StatusOf(UnixErrno error, in FileStatus status) => error != UnixErrno.None ? null : new UnixStatus(
        (int)status.Mode, status.User, status.Inode, status.Device, status.Size,
        new FileTime(status.ModifiedSeconds, (int)status.ModifiedNanoseconds), status.Links);
}
