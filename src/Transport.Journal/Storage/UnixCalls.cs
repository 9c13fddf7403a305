using System;
using System.Runtime.InteropServices;
using Mono.Unix.Native;

namespace Transport.Journal;

/// <summary>The system calls of the hot road, without anything in between (pread(2), fdatasync(2), flock(2), fallocate(2)).</summary>
internal static unsafe partial class UnixCalls
{
    public const int LockExclusiveNow = 2 | 4;   // LOCK_EX | LOCK_NB
    public const int LockSharedNow = 1 | 4;
    public const int Unlock = 8;

    private const int FullSync = 51;             // macOS, F_FULLFSYNC: its fsync leaves the drive's cache

    public static bool IsLinux => RuntimeInformation.IsOSPlatform(OSPlatform.Linux);

    public static bool IsMac => RuntimeInformation.IsOSPlatform(OSPlatform.OSX);

    /// <summary>
    /// Gets what the last call's failure means. A call that has failed is never taken for one that has not, whatever errno says.
    /// </summary>
    public static StoreError Failure => StoreErrors.Of(LastError) is var error and not StoreError.None ? error : StoreError.Broken;

    public static long Write(int file, ReadOnlySpan<byte> bytes, long offset)
    {
        fixed (byte* at = bytes)
        {
            return (long)pwrite(file, at, (UIntPtr)(uint)bytes.Length, (IntPtr)offset);
        }
    }

    public static long Read(int file, Span<byte> into, long offset)
    {
        fixed (byte* at = into)
        {
            return (long)pread(file, at, (UIntPtr)(uint)into.Length, (IntPtr)offset);
        }
    }

    public static StoreError DataSync(int file)
    {
        if (IsMac)
        {
            if (Syscall.fcntl(file, (FcntlCommand)FullSync) >= 0)
            {
                return StoreError.None;
            }

            // Only a file system that does not know it is asked by fsync: after a failure of the disk that would seem to succeed.
            Errno error = LastError;
            return error is not (Errno.EOPNOTSUPP or Errno.EINVAL or Errno.ENOTTY) ? StoreErrors.Of(error)
                : fsync(file) == 0 ? StoreError.None : Failure;
        }

        return fdatasync(file) == 0 ? StoreError.None : Failure;
    }

    public static StoreError FullSyncOf(int file) => fsync(file) == 0 ? StoreError.None : Failure;

    public static StoreError Reserve(int file, long length) =>
        !IsLinux ? StoreError.Unsupported : fallocate(file, 0, IntPtr.Zero, (IntPtr)length) == 0 ? StoreError.None : Failure;

    /// <summary>Locks a file or gives it free; tried again if a signal came in between.</summary>
    public static StoreError Lock(int file, int operation)
    {
        StoreError error;
        do
        {
            error = flock(file, operation) == 0 ? StoreError.None : Failure;
        }
        while (error == StoreError.Interrupted);
        return error;
    }

    [DllImport("libc", SetLastError = KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr pwrite(int file, byte* bytes, UIntPtr count, IntPtr offset);

    [DllImport("libc", SetLastError = KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr pread(int file, byte* bytes, UIntPtr count, IntPtr offset);

    [DllImport("libc", SetLastError = KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int fdatasync(int file);

    [DllImport("libc", SetLastError = KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int fsync(int file);

    [DllImport("libc", SetLastError = KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int fallocate(int file, int mode, IntPtr offset, IntPtr length);

    [DllImport("libc", SetLastError = KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int flock(int file, int operation);
}
