using System;
using System.IO;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Transport.Files;

/// <summary>Calls by path that .NET Standard lacks, and calls of Unix that .NET lacks, too: a directory's sync, and the owner.</summary>
internal static class NetStandardFiles
{
    private const int Interrupted = 4;   // EINTR

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
        else if (rename(from, to) != 0)
        {
            throw new IOException($"rename failed with error number {Marshal.GetLastWin32Error()}");
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

        using UnixHandle handle = Open(path, flags: 0);
#if NET
        if (!isDirectory)
        {
            using var borrowed = new SafeFileHandle(handle.DangerousGetHandle(), ownsHandle: false);
            RandomAccess.FlushToDisk(borrowed);   // on macOS this also flushes the disk's own cache
            return;
        }
#endif
        while (fsync(handle.Fd) < 0)
        {
            ThrowUnlessInterrupted("fsync", path);
        }
    }

    /// <summary>Opens a directory for reading on Unix. A link to one is not opened.</summary>
    /// <exception cref="IOException">It cannot be opened.</exception>
    public static UnixHandle OpenDirectory(string path) => Open(path, DirectoryAlone);

    private static UnixHandle Open(string path, int flags)
    {
        int fd;
        while ((fd = open(path, CloseOnExec | flags)) < 0)
        {
            ThrowUnlessInterrupted("open", path);
        }

        return new UnixHandle(fd);
    }

    /// <summary>Gets O_DIRECTORY and O_NOFOLLOW of macOS, of Linux on ARM, of Linux elsewhere.</summary>
    private static int DirectoryAlone =>
        RuntimeInformation.IsOSPlatform(OSPlatform.OSX) ? 0x100000 | 0x100
        : RuntimeInformation.ProcessArchitecture is Architecture.Arm or Architecture.Arm64 ? 0x4000 | 0x8000
        : 0x10000 | 0x20000;

    private static int CloseOnExec => RuntimeInformation.IsOSPlatform(OSPlatform.OSX) ? 0x1000000 : 0x80000;

    private static void ThrowUnlessInterrupted(string call, string path)
    {
        int errno = Marshal.GetLastWin32Error();
        if (errno != Interrupted)
        {
            throw new IOException($"{call} of '{EntryName.Escape(path)}' failed with error number {errno}");
        }
    }

    /// <summary>Reads the status on macOS with an ARM processor, whose only struct stat has inodes of 64 bits.</summary>
    [DllImport("libc", EntryPoint = "lstat", CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    public static extern unsafe int LinkStatus(string path, byte* status);

    [DllImport("libc", EntryPoint = "fstat")]
    public static extern unsafe int FileStatus(int fd, byte* status);

    /// <summary>Reads the status on macOS with an Intel processor, where the plain names have inodes of 32 bits.</summary>
    [DllImport(
        "libc", EntryPoint = "lstat$INODE64", CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    public static extern unsafe int LinkStatusOnIntel(string path, byte* status);

    [DllImport("libc", EntryPoint = "fstat$INODE64")]
    public static extern unsafe int FileStatusOnIntel(int fd, byte* status);

    [DllImport("libc", SetLastError = true, CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    private static extern int open(string path, int flags);

    [DllImport("libc", SetLastError = true)]
    private static extern int fsync(int fd);

    /// <summary>
    /// A descriptor that closes itself. Mono's SafeFileHandle does not close a descriptor that Mono has not opened, so its lock would stay.
    /// </summary>
    public sealed class UnixHandle : SafeHandleMinusOneIsInvalid
    {
        public UnixHandle(int fd)
            : base(ownsHandle: true) => SetHandle((IntPtr)fd);

        public int Fd => handle.ToInt32();

        protected override bool ReleaseHandle() => close(handle.ToInt32()) == 0;

        [DllImport("libc")]
        private static extern int close(int fd);
    }

#if !NET
    [DllImport("libc", SetLastError = true, CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    private static extern int rename(string from, string to);
#endif
}
