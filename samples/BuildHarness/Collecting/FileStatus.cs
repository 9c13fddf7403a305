using System;
using System.IO;
using Mono.Unix;
using Mono.Unix.Native;

namespace BuildHarness.Collecting;

/// <summary>What the system says of a path, links followed.</summary>
/// <param name="IsDirectory">It is a folder.</param>
/// <param name="IsFile">It is an ordinary file: opening it waits for nobody.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Mode">Unix permissions, or -1.</param>
/// <param name="Seconds">When it was changed, seconds since 1970.</param>
/// <param name="Nanoseconds">And nanoseconds.</param>
/// <param name="Identity">Device and number: equal for equal files. Zeros where the system does not tell.</param>
internal readonly record struct FileStatus(bool IsDirectory, bool IsFile, long Length, int Mode, long Seconds, int Nanoseconds, (ulong Device, ulong Number) Identity)
{
    private const int Permissions = 0x1FF; // 0777

    /// <exception cref="IOException">It cannot be looked at.</exception>
    public static FileStatus Of(string path) => OperatingSystem.IsWindows() ? OfWindows(path) : OfUnix(path);

    private static FileStatus OfUnix(string path)
    {
        if (Syscall.stat(path, out Stat stat) != 0)
        {
            throw new IOException(UnixMarshal.GetErrorDescription(Stdlib.GetLastError()));
        }

        FilePermissions kind = stat.st_mode & FilePermissions.S_IFMT;
        return new FileStatus(
            kind == FilePermissions.S_IFDIR, kind == FilePermissions.S_IFREG, stat.st_size, (int)stat.st_mode & Permissions, stat.st_mtime, (int)stat.st_mtime_nsec, (stat.st_dev, stat.st_ino));
    }

    private static FileStatus OfWindows(string path)
    {
        var file = new FileInfo(path);
        bool isDirectory = Directory.Exists(path);
        long ticks = (isDirectory || file.Exists ? file.LastWriteTimeUtc : throw new FileNotFoundException("It is not there any more.")).Ticks - DateTime.UnixEpoch.Ticks;
        long seconds = Math.DivRem(ticks, TimeSpan.TicksPerSecond, out long rest);
        return new FileStatus(isDirectory, !isDirectory, isDirectory ? 0 : file.Length, -1, seconds, (int)(rest * 100), default);
    }
}
