using System;
using System.IO;

namespace Transport.Journal;

/// <summary>Asks the system how much space a disk has.</summary>
internal static class FreeSpace
{
    /// <summary>Returns the bytes that this user may still use on the disk of a directory; null if the system does not say.</summary>
    public static long? Of(string directory)
    {
        if (Libc.IsLinux && IntPtr.Size == sizeof(long))
        {
            return OfLinux(Libc.PathBytes(directory));   // Mono's DriveInfo asks for the root's disk, whatever the path
        }

        try
        {
            return new DriveInfo(directory).AvailableFreeSpace;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    private static unsafe long? OfLinux(byte[] path)
    {
        ulong* words = stackalloc ulong[16];
        fixed (byte* bytes = path)
        {
            int result;
            do
            {
                result = Libc.statvfs(bytes, words);
            }
            while (Libc.IsInterrupted(result));
            return result == 0 ? (long)Math.Min(words[1] * words[4], long.MaxValue) : null;
        }
    }
}
