using System;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Loads.Measuring;

/// <summary>What the kernel knows of this process; zeros where there is no /proc.</summary>
internal static class ProcessState
{
    /// <summary>Gets the memory that nobody shares and that was written to, in bytes: what the process costs the machine.</summary>
    public static long PrivateBytes() => Field("/proc/self/smaps_rollup", "Private_Dirty:") * 1024;

    /// <summary>Gets the number of threads.</summary>
    public static long Threads() => Field("/proc/self/status", "Threads:");

    /// <summary>Gets how often all threads together went to sleep so far: each time something woke them before.</summary>
    public static long Sleeps()
    {
        const string Tasks = "/proc/self/task";
        return Directory.Exists(Tasks) ? Directory.GetDirectories(Tasks).Sum(task => Field(Path.Combine(task, "status"), "voluntary_ctxt_switches:")) : 0;
    }

    private static long Field(string path, string name)
    {
        try
        {
            string? line = File.ReadLines(path).FirstOrDefault(l => l.StartsWith(name, StringComparison.Ordinal));
            return line is null ? 0 : long.Parse(line[name.Length..].Trim().Split(' ')[0], CultureInfo.InvariantCulture);
        }
        catch (IOException)
        {
            return 0;   // no /proc here, or a thread that has just ended
        }
    }
}
