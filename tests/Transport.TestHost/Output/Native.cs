using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Transport.TestHost.Output;

/// <summary>Prints that pass by <see cref="Console"/>.</summary>
internal static class Native
{
    public static void WriteDirectly(int fd, string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        _ = write(fd, bytes, (UIntPtr)(uint)bytes.Length);
    }

    /// <summary>C's own print: buffered in this process if stdout is no terminal.</summary>
    [DllImport("libc")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static extern int puts([MarshalAs(UnmanagedType.LPStr)] string text);

    [DllImport("libc")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr write(int fd, byte[] bytes, UIntPtr count);
}
