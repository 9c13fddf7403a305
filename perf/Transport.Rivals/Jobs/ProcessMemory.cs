using System;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Rivals.Jobs;

/// <summary>What Linux says of this process's memory.</summary>
internal static class ProcessMemory
{
    /// <summary>Returns the most that was resident at once, in KiB.</summary>
    public static long PeakKiB() => File.ReadLines("/proc/self/status")
        .Where(line => line.StartsWith("VmHWM:", StringComparison.Ordinal))
        .Select(line => long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture))
        .FirstOrDefault();
}
