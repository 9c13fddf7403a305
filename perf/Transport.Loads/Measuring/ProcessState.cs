using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Loads.Measuring;

/// <summary>What the kernel knows of this process; zeros if there is no /proc.</summary>
internal static class ProcessState
{
    private const string Tasks = "/proc/self/task";

    /// <summary>Gets the memory that nobody shares and that was written to, in bytes: what the process costs the machine.</summary>
    public static long PrivateBytes() => Field("/proc/self/smaps_rollup", "Private_Dirty:") * 1024;

    /// <summary>Gets the most memory that was resident at once, in bytes.</summary>
    public static long PeakBytes() => Field("/proc/self/status", "VmHWM:") * 1024;

    /// <summary>As <see cref="PrivateBytes"/>, without what is garbage: that goes back to the system first.</summary>
    public static long PrivateBytesHeld()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        return PrivateBytes();
    }

    /// <summary>Gets the number of threads, and how many of them are the runtime's pool: a burst of work makes some of those, in whatever
    /// code it is, and they linger.</summary>
    public static (int All, int Pool) Threads()
    {
        string[] tasks = Directory.Exists(Tasks) ? Directory.GetDirectories(Tasks) : [];
        return (tasks.Length, tasks.Count(task => NameOf(task).StartsWith(".NET TP", StringComparison.Ordinal)));
    }

    /// <summary>Gets how often each thread went to sleep so far: each time something woke it before. Threads that have ended are not
    /// reported.</summary>
    public static Dictionary<string, long> Sleeps() =>
        Directory.Exists(Tasks)
            ? Directory.GetDirectories(Tasks)
                .ToDictionary(task => task, task => Field(Path.Combine(task, "status"), "voluntary_ctxt_switches:"), StringComparer.Ordinal)
            : [];

    private static string NameOf(string task)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "comm"));
        }
        catch (IOException)
        {
            return string.Empty;   // it has just ended
        }
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
