using System;
using System.Runtime.InteropServices;

namespace Transport.Files;

/// <summary>Linux's constants for the calls relative to directory handles (64-bit; x86-64 and arm64 differ in two).</summary>
internal static class LinuxFlags
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

    private static bool IsArm => RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    /// <summary>Gets O_DIRECTORY.</summary>
    public static int Directory => IsArm ? 0x4000 : 0x10000;

    /// <summary>Gets O_NOFOLLOW.</summary>
    public static int NoFollow => IsArm ? 0x8000 : 0x20000;

    /// <summary>Gets the number of getdents64.</summary>
    public static IntPtr ListDirectory => (IntPtr)(IsArm ? 61 : 217);
}
