using System.Runtime.InteropServices;

namespace Transport.Files;

/// <summary>What differs by operating system.</summary>
internal static class Platform
{
    public static bool IsWindows => RuntimeInformation.IsOSPlatform(OSPlatform.Windows);

    /// <summary>Gets a value indicating whether the calls of <c>Unix</c> are there: Linux with 64-bit pointers. Elsewhere files are written the ordinary way.</summary>
    public static bool IsLinux => RuntimeInformation.IsOSPlatform(OSPlatform.Linux) && System.IntPtr.Size == 8;

    /// <summary>Gets the writers of an output: two were 1.8 times one on Linux and four no better (two cores); on Windows closing waits for scanners, so more help.</summary>
    public static int DefaultWriters => IsWindows ? 8 : 2;
}
