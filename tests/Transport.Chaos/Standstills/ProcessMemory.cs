using System;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Chaos.Standstills;

/// <summary>What this process holds: managed objects that somebody still refers to, and pages that nobody shares.</summary>
internal readonly record struct ProcessMemory(long Managed, long Private)
{
    public static ProcessMemory Now()
    {
        long managed = GC.GetTotalMemory(forceFullCollection: true);
        string line = File.ReadLines("/proc/self/smaps_rollup").First(l => l.StartsWith("Private_Dirty:", StringComparison.Ordinal));
        return new ProcessMemory(
            managed, long.Parse(line["Private_Dirty:".Length..].Trim().Split(' ')[0], CultureInfo.InvariantCulture) << 10);
    }

    public static ProcessMemory operator -(ProcessMemory after, ProcessMemory before) =>
        new(after.Managed - before.Managed, after.Private - before.Private);
}
