using System;
using System.Runtime.InteropServices;

namespace Transport.Files;

/// <summary>The functions of the C library, and Linux's constants for them (64-bit; x86-64 and arm64 differ in two).</summary>
internal static unsafe class Libc
{
    public const int ReadOnly = 0, WriteOnly = 1, ReadWrite = 2, Create = 0x40, Exclusive = 0x80, NoWait = 0x800;
    public const int CloseOnExec = 0x80000, PathOnly = 0x200000;
    public const int Here = -100;               // AT_FDCWD
    public const int NoFollowAt = 0x100;        // AT_SYMLINK_NOFOLLOW
    public const int FollowAt = 0x400;         // AT_SYMLINK_FOLLOW
    public const int RemoveDirectory = 0x200;   // AT_REMOVEDIR
    public const int EmptyPath = 0x1000;        // AT_EMPTY_PATH
    public const int NoReplace = 1, Exchange = 2;
    public const int LockAlone = 2, LockAtOnce = 4;
    public const int KeepSize = 1;              // FALLOC_FL_KEEP_SIZE
    public const int ProtectReadWrite = 3, MapShared = 1;
    public const long OmitTime = (1 << 30) - 2; // UTIME_OMIT
    public const int OpenAt2 = 437;             // the number of openat2 on every machine
    public const int NoLinks = 4, Beneath = 8;  // RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH
    public const uint StatBasic = 0x7ff;
    private const string Name = "libc";

    private static bool IsArm => RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    /// <summary>Gets O_DIRECTORY.</summary>
    public static int Directory => IsArm ? 0x4000 : 0x10000;

    /// <summary>Gets O_NOFOLLOW.</summary>
    public static int NoFollow => IsArm ? 0x8000 : 0x20000;

    /// <summary>Gets the number of getdents64.</summary>
    public static IntPtr ListDirectory => (IntPtr)(IsArm ? 61 : 217);

    [DllImport(Name, SetLastError = true)]
    public static extern int openat(int directory, byte* path, int flags, int mode);

    /// <summary>Calls openat2, for which the C library has no function.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr syscall(IntPtr number, IntPtr directory, byte* path, ulong* how, UIntPtr size);

    [DllImport(Name, SetLastError = true)]
    public static extern int mkdirat(int directory, byte* path, int mode);

    [DllImport(Name, SetLastError = true)]
    public static extern int close(int fd);

    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr write(int fd, byte* bytes, UIntPtr count);

    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr pread(int fd, byte* bytes, UIntPtr count, long offset);

    [DllImport(Name, SetLastError = true)]
    public static extern int fsync(int fd);

    [DllImport(Name, SetLastError = true)]
    public static extern int fchmod(int fd, int mode);

    [DllImport(Name, SetLastError = true)]
    public static extern int chmod(byte* path, int mode);

    [DllImport(Name, SetLastError = true)]
    public static extern int futimens(int fd, long* times);

    [DllImport(Name, SetLastError = true)]
    public static extern int utimensat(int directory, byte* path, long* times, int flags);

    [DllImport(Name, SetLastError = true)]
    public static extern int symlinkat(byte* target, int directory, byte* path);

    [DllImport(Name, SetLastError = true)]
    public static extern int linkat(int fromDirectory, byte* from, int toDirectory, byte* to, int flags);

    [DllImport(Name, SetLastError = true)]
    public static extern int unlinkat(int directory, byte* path, int flags);

    [DllImport(Name, SetLastError = true)]
    public static extern int renameat(int fromDirectory, byte* from, int toDirectory, byte* to);

    [DllImport(Name, SetLastError = true)]
    public static extern int renameat2(int fromDirectory, byte* from, int toDirectory, byte* to, uint flags);

    [DllImport(Name, SetLastError = true)]
    public static extern int statx(int directory, byte* path, int flags, uint mask, byte* status);

    [DllImport(Name, SetLastError = true)]
    public static extern int flock(int fd, int operation);

    [DllImport(Name, SetLastError = true)]
    public static extern int fallocate(int fd, int mode, long offset, long length);

    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr mmap(IntPtr address, UIntPtr length, int protection, int flags, int fd, long offset);

    [DllImport(Name, SetLastError = true)]
    public static extern int munmap(IntPtr address, UIntPtr length);

    /// <summary>Calls getdents64, which older C libraries lack.</summary>
    [DllImport(Name, SetLastError = true, EntryPoint = "syscall")]
    public static extern IntPtr getdents64(IntPtr number, IntPtr directory, byte* entries, UIntPtr size);

    [DllImport(Name)]
    public static extern uint geteuid();

    [DllImport(Name)]
    public static extern int umask(int mask);
}
