using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Fuzz.Hostile;

/// <summary>What a process holds, as Linux says: memory of its own, descriptors, threads.</summary>
/// <param name="PrivateBytes">Private_Clean and Private_Dirty of /proc/PID/smaps_rollup.</param>
/// <param name="Descriptors">Entries of /proc/PID/fd, without the assemblies that the runtime keeps open: it loads one when code that
/// names it is compiled, or compiled again for speed, at any time.</param>
/// <param name="Threads">Entries of /proc/PID/task.</param>
internal sealed record Footprint(long PrivateBytes, int Descriptors, int Threads)
{
    public static Footprint Of(int pid) => new(
        File.ReadLines($"/proc/{pid}/smaps_rollup").Where(l => l.StartsWith("Private_", System.StringComparison.Ordinal))
            .Sum(Kilobytes) << 10,
        Directory.GetFileSystemEntries($"/proc/{pid}/fd").Count(d => !IsAssembly(d)),
        Directory.GetDirectories($"/proc/{pid}/task").Length);

    /// <summary>The most of each.</summary>
    public Footprint Max(Footprint other) => new(
        System.Math.Max(PrivateBytes, other.PrivateBytes), System.Math.Max(Descriptors, other.Descriptors),
            System.Math.Max(Threads, other.Threads));

    /// <summary>Checks whether descriptors and threads are back to what they were; of the runtime's pool a few threads come and go whatever
    /// happens.</summary>
    public bool IsWithin(Footprint before)
    {
        const int Slack = 4;
        return Descriptors <= before.Descriptors && Threads - Slack <= before.Threads;
    }

    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{PrivateBytes / 1048576.0,8:N1} MiB {Descriptors,5} descriptors {Threads,4} threads");

    private static bool IsAssembly(string descriptor) =>
        new FileInfo(descriptor).LinkTarget?.EndsWith(".dll", System.StringComparison.Ordinal) == true;

    private static long Kilobytes(string line) =>
        long.Parse(line.Split(' ', System.StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture);
}
