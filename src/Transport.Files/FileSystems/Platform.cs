using System;
using System.Runtime.InteropServices;

namespace Transport.Files;

/// <summary>Differences between operating systems.</summary>
internal static class Platform
{
    /// <summary>Gets a value indicating whether this is Windows.</summary>
    public static bool IsWindows => RuntimeInformation.IsOSPlatform(OSPlatform.Windows);

    /// <summary>Gets a value indicating whether <c>Unix</c> can be used: Linux with 64-bit pointers.</summary>
    public static bool IsLinux => RuntimeInformation.IsOSPlatform(OSPlatform.Linux) && IntPtr.Size == 8;

    /// <summary>
    /// Gets the number of writers to begin with. On Linux two wrote 1.8 times as fast as one, and four no faster than two (on two cores).
    /// On Windows closing a file waits for scanners, so more writers help.
    /// </summary>
    public static int DefaultWriters => IsWindows ? 8 : 2;
}
