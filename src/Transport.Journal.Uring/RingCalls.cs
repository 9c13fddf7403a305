using System;
using System.Runtime.InteropServices;
using System.Text;
using Mono.Unix.Native;

namespace Transport.Journal;

/// <summary>io_uring_setup(2), io_uring_enter(2) and what they need; numbers of x64 and arm64.</summary>
internal static unsafe class RingCalls
{
    private const int Setup = 425, Enter = 426;
    private const int CloseOnExec = 0x80000;
    private const int ReadWrite = 2;
    private const int MapShared = 1, MapPrivate = 2, MapAnonymous = 0x20, MapPopulate = 0x8000;
    private const int ProtectReadWrite = 3;
    private const int OwnerOnly = 0x180;   // 0600

    public static Errno LastError => UnixCalls.LastError;

    private static bool IsArm => RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    private static int Direct => IsArm ? 0x10000 : 0x4000;

    private static int NameLess => 0x400000 | (IsArm ? 0x4000 : 0x10000);   // O_TMPFILE, a directory's flag in it

    public static int SetUp(uint entries, RingParameters* parameters) =>
        (int)(long)syscall(Setup, (IntPtr)entries, (IntPtr)parameters, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero);

    public static int SubmitAndWait(int ring, int submit, int wait, int flags) =>
        (int)(long)syscall(Enter, (IntPtr)ring, (IntPtr)submit, (IntPtr)wait, (IntPtr)flags, IntPtr.Zero, IntPtr.Zero);

    /// <summary>Maps a part of the ring; -1 if that fails.</summary>
    public static IntPtr Map(int ring, long bytes, long offset) =>
        mmap(IntPtr.Zero, (UIntPtr)(ulong)bytes, ProtectReadWrite, MapShared | MapPopulate, ring, (IntPtr)offset);

    /// <summary>Maps memory that begins at a page.</summary>
    public static IntPtr Memory(long bytes) =>
        mmap(IntPtr.Zero, (UIntPtr)(ulong)bytes, ProtectReadWrite, MapPrivate | MapAnonymous, -1, IntPtr.Zero);

    public static void Unmap(IntPtr at, long bytes) => _ = munmap(at, (UIntPtr)(ulong)bytes);

    public static int NewEvent() => eventfd(0, CloseOnExec);

    /// <summary>Opens a file for direct writes.</summary>
    public static int OpenDirect(string path) => Open(path, ReadWrite | Direct | CloseOnExec, 0);

    /// <summary>Opens a file without a name for direct writes, to try them.</summary>
    public static int OpenNameless(string directory) => Open(directory, ReadWrite | Direct | NameLess | CloseOnExec, OwnerOnly);

    public static void Signal(int handle)
    {
        ulong one = 1;
        _ = write(handle, &one, (UIntPtr)sizeof(ulong));
    }

    public static void Close(int handle) => _ = Syscall.close(handle);

    private static int Open(string path, int flags, int mode)
    {
        fixed (byte* at = Encoding.UTF8.GetBytes(path + '\0'))
        {
            return open(at, flags, mode);
        }
    }

    [DllImport("libc", SetLastError = UnixCalls.KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr syscall(long number, IntPtr a, IntPtr b, IntPtr c, IntPtr d, IntPtr e, IntPtr f);

    [DllImport("libc", SetLastError = UnixCalls.KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr mmap(IntPtr at, UIntPtr bytes, int protection, int flags, int file, IntPtr offset);

    [DllImport("libc", SetLastError = UnixCalls.KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int munmap(IntPtr at, UIntPtr bytes);

    [DllImport("libc", SetLastError = UnixCalls.KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int eventfd(uint value, int flags);

    [DllImport("libc", SetLastError = UnixCalls.KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int open(byte* path, int flags, int mode);

    [DllImport("libc", SetLastError = UnixCalls.KeepsError)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr write(int file, void* bytes, UIntPtr count);
}
