using System;
using System.IO;

namespace Transport.Files;

/// <summary>The mask that the kernel subtracts from the modes of new files. Modes that are set later must be masked here.</summary>
internal static class Umask
{
    /// <summary>
    /// Reads the mask from /proc (Linux 4.7). Without /proc the mask is set and restored at once, which another thread could notice.
    /// </summary>
    public static int Read()
    {
        try
        {
            foreach (string line in File.ReadLines("/proc/self/status"))
            {
                if (line.StartsWith("Umask:", StringComparison.Ordinal))
                {
                    return Convert.ToInt32(line.Substring("Umask:".Length).Trim(), 8) & 0x1FF;
                }
            }
        }
        catch (Exception hidden) when (hidden is IOException or UnauthorizedAccessException or FormatException)
        {
        }

        int mask = Libc.umask(0x3F);
        _ = Libc.umask(mask);
        return mask & 0x1FF;
    }
}
