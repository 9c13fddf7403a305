using System;
using System.Runtime.InteropServices;

namespace Transport.Files;

/// <summary>Reads the owner and the identity of files on Unix, which .NET does not report. Links are not followed.</summary>
internal static unsafe class UnixLook
{
    private const int MacStatusBytes = 256;   // struct stat has 144

    private static bool IsMac => RuntimeInformation.IsOSPlatform(OSPlatform.OSX);

    /// <summary>Gets the user on whose behalf this process makes files; null on Windows.</summary>
    public static uint? Caller => Platform.IsWindows ? null : Libc.geteuid();

    /// <summary>Reads the status of a path.</summary>
    /// <param name="path">The path.</param>
    /// <returns>The status; null if nothing is there or the system does not report it.</returns>
    public static UnixStatus? At(string path) => Look(path, -1);

    /// <summary>Reads the status of an open file or directory.</summary>
    /// <param name="handle">The handle.</param>
    /// <returns>The status; null if the system does not report it.</returns>
    public static UnixStatus? Of(NetStandardFiles.UnixHandle handle) => Look(string.Empty, handle.Fd);

    private static UnixStatus? Look(string path, int fd)
    {
        try
        {
            if (IsMac)
            {
                return LookOnMac(path, fd);
            }

            return new UnixCalls().Look(fd < 0 ? Libc.Here : fd, path, out UnixStatus status) < 0 ? null : status;
        }
        catch (EntryPointNotFoundException)
        {
            return null;   // a C library without statx
        }
    }

    /// <summary>Reads struct stat of &lt;sys/stat.h&gt;, with inodes of 64 bits.</summary>
    private static UnixStatus? LookOnMac(string path, int fd)
    {
        byte* told = stackalloc byte[MacStatusBytes];
        bool isIntel = RuntimeInformation.ProcessArchitecture == Architecture.X64;
        int result = (fd < 0, isIntel) switch
        {
            (true, true) => NetStandardFiles.LinkStatusOnIntel(path, told),
            (true, false) => NetStandardFiles.LinkStatus(path, told),
            (false, true) => NetStandardFiles.FileStatusOnIntel(fd, told),
            _ => NetStandardFiles.FileStatus(fd, told),
        };
        if (result < 0)
        {
            return null;
        }

        uint device = *(uint*)told, user = *(uint*)(told + 16);
        ushort mode = *(ushort*)(told + 4), names = *(ushort*)(told + 6);
        return new UnixStatus(mode, user, *(ulong*)(told + 8), device, Size: 0, Modified: default, names);
    }
}
