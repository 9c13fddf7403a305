using System;
using System.IO;

namespace Transport.Files;

/// <summary>The mask that the kernel takes off the modes of new files: for the modes that are set later, it must be done here.</summary>
internal static class Umask
{
    /// <summary>Reads it. /proc says it without changing it (Linux 4.7); else it is set and put back at once, which another thread could see.</summary>
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
