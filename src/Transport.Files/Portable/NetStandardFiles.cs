using System;
using System.IO;
using Microsoft.Win32.SafeHandles;
using UnixErrno = Transport.Errno;

namespace Transport.Files;

/// <summary>Calls by path that .NET Standard lacks, and calls of Unix that .NET lacks, too: a directory's sync, and the owner.</summary>
internal static class NetStandardFiles
{
    public static void MakeLink(string path, string target)
    {
#if NET
        File.CreateSymbolicLink(path, target);
#else
        string why = $"no symbolic link '{path}' to '{target}': on this system they are made with .NET 6 and later";
        throw new FileCallException("link", TransportFault.FileFailed, why);
#endif
    }

    public static void Replace(string from, string to)
    {
#if NET
        File.Move(from, to, overwrite: true);
#else
        if (Platform.IsWindows)
        {
            File.Replace(from, to, null);
        }
        else
        {
            Throw("rename", from, FilePath.TryRename(from, to));
        }
#endif
    }

    /// <summary>Syncs a file or, on Unix, a directory, whatever its permissions for writing.</summary>
    /// <exception cref="IOException">It could not be synced.</exception>
    public static void Sync(string path, bool isDirectory)
    {
        if (Platform.IsWindows)
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete, 1);
            file.Flush(true);
            return;
        }

        using DescriptorHandle handle = Open(path, OpenFlags.ReadOnly);
#if NET
        if (!isDirectory)
        {
            using var borrowed = new SafeFileHandle(handle.DangerousGetHandle(), ownsHandle: false);
            RandomAccess.FlushToDisk(borrowed);   // on macOS this also flushes the disk's own cache
            return;
        }
#endif
        Throw("fsync", path, FileDescriptor.TrySync(handle.Fd));
    }

    /// <summary>Opens a directory for reading on Unix. A link to one is not opened.</summary>
    /// <exception cref="IOException">It cannot be opened.</exception>
    public static DescriptorHandle OpenDirectory(string path) =>
        Open(path, OpenFlags.ReadOnly | OpenFlags.Directory | OpenFlags.NoFollow);

    private static DescriptorHandle Open(string path, int flags)
    {
        Throw("open", path, FileDescriptor.TryOpen(path, flags, mode: 0, out int fd));
        return new DescriptorHandle(fd);
    }

    private static void Throw(string call, string path, UnixErrno error)
    {
        if (error != UnixErrno.None)
        {
            throw new IOException($"{call} of '{TerminalText.Escape(path)}' failed: {error.Describe()}");
        }
    }
}
