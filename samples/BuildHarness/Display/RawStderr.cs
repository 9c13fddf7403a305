using System;
using System.Runtime.InteropServices;

namespace BuildHarness.Display;

/// <summary>Stderr by the system call alone: .NET's console needs descriptors, a thread and a culture, which may be what is
/// missing.</summary>
internal static class RawStderr
{
    /// <summary>Writes one line; never throws.</summary>
    public static void Report(string line)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        byte[] bytes = new byte[line.Length + 1];
        for (int i = 0; i < line.Length; i++)
        {
            bytes[i] = line[i] is >= ' ' and <= '~' ? (byte)line[i] : (byte)'?';
        }

        bytes[line.Length] = (byte)'\n';
        _ = write(2, bytes, bytes.Length);
    }

    [DllImport("libc")]
    private static extern nint write(int fd, byte[] bytes, nint count);
}
