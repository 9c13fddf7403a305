using System;
using System.IO;
using Mono.Unix.Native;

namespace BuildHarness.Collecting;

/// <summary>What the system says of a file, links followed.</summary>
/// <param name="Length">Bytes.</param>
/// <param name="Mode">Unix permissions, or -1.</param>
/// <param name="Modified">When it was changed, UTC.</param>
internal readonly record struct FileStatus(long Length, int Mode, DateTime Modified)
{
    /// <exception cref="IOException">It is not there, or is no ordinary file, so that to open it might mean to wait for
    /// somebody.</exception>
    public static FileStatus Of(string path)
    {
        var file = new FileInfo(path);
        if (IsLink(file))
        {
            file = (FileInfo?)file.ResolveLinkTarget(returnFinalTarget: true) ?? file;
        }

        if (!file.Exists)
        {
            throw new IOException(new FileInfo(path).LinkTarget is not null ? "it is a link that leads nowhere."
                : path.Contains('\uFFFD', StringComparison.Ordinal) ? "its name is no UTF-8, and .NET cannot open it."
                : "it is not there any more.");
        }

        // .NET takes whatever is no folder for a file; but of pipes, sockets and devices the length is 0.
        return file.Length > 0 || IsFile(path)
            ? new FileStatus(file.Length, OperatingSystem.IsWindows() ? -1 : (int)file.UnixFileMode, file.LastWriteTimeUtc)
            : throw new IOException("it is neither file nor folder.");
    }

    /// <summary>Whether it is a link. Its target is asked for only if its attributes, which are needed anyway, say that it may be
    /// one.</summary>
    public static bool IsLink(FileSystemInfo entry) => (entry.Attributes & FileAttributes.ReparsePoint) != 0
        && entry.LinkTarget is not null;

    /// <summary>Device and number of a folder: equal for equal ones. Zeros if the system does not report.</summary>
    public static (ulong Device, ulong Number) IdentityOf(string folder) => !OperatingSystem.IsWindows()
        && Syscall.stat(folder, out Stat stat) == 0 ? (stat.st_dev, stat.st_ino) : default;

    private static bool IsFile(string path) => OperatingSystem.IsWindows()
        || (Syscall.stat(path, out Stat stat) == 0 && (stat.st_mode & FilePermissions.S_IFMT) == FilePermissions.S_IFREG);
}
