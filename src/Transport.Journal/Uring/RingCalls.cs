using System;
using System.Runtime.InteropServices;

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

    public static Errno LastError => Libc.LastError;

    private static bool IsArm => RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    private static int Direct => IsArm ? 0x10000 : 0x4000;

    private static int NameLess => 0x400000 | (IsArm ? 0x4000 : 0x10000);   // O_TMPFILE, a directory's flag in it

    public static int SetUp(uint entries, RingParameters* parameters) =>
        (int)(long)Libc.syscall((IntPtr)Setup, (IntPtr)entries, (IntPtr)parameters, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero);

    public static int SubmitAndWait(int ring, int submit, int wait, int flags) =>
        (int)(long)Libc.syscall((IntPtr)Enter, (IntPtr)ring, (IntPtr)submit, (IntPtr)wait, (IntPtr)flags, IntPtr.Zero, IntPtr.Zero);

    /// <summary>Maps a part of the ring; -1 if that fails.</summary>
    public static IntPtr Map(int ring, long bytes, long offset) =>
        Libc.mmap(IntPtr.Zero, (UIntPtr)(ulong)bytes, ProtectReadWrite, MapShared | MapPopulate, ring, (IntPtr)offset);

    /// <summary>Maps memory that begins at a page.</summary>
    public static IntPtr Memory(long bytes) =>
        Libc.mmap(IntPtr.Zero, (UIntPtr)(ulong)bytes, ProtectReadWrite, MapPrivate | MapAnonymous, -1, IntPtr.Zero);

    public static void Unmap(IntPtr at, long bytes) => _ = Libc.munmap(at, (UIntPtr)(ulong)bytes);

    public static int NewEvent() => Libc.eventfd(0, CloseOnExec);

    /// <summary>Opens a file for direct writes.</summary>
    public static int OpenDirect(string path) => Open(path, ReadWrite | Direct | CloseOnExec, 0);

    /// <summary>Opens a file without a name for direct writes, to try them.</summary>
    public static int OpenNameless(string directory) => Open(directory, ReadWrite | Direct | NameLess | CloseOnExec, OwnerOnly);

    public static void Signal(int handle)
    {
        ulong one = 1;
        _ = Libc.write(handle, (byte*)&one, (UIntPtr)sizeof(ulong));
    }

    public static void Close(int handle) => FileDescriptor.Close(handle);

    private static int Open(string path, int flags, int mode)
    {
        fixed (byte* at = Libc.PathBytes(path))
        {
            return Libc.Open(at, flags, mode);
        }
    }
}
