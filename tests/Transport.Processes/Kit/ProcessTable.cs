using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using Transport.Nodes.Unix;

namespace Transport.Processes.Kit;

/// <summary>Looks at processes from outside.</summary>
internal static class ProcessTable
{
    public static void Signal(int pid, int signal) => kill(pid, signal);

    /// <summary>Waits, without polling by time, until a process (no child of this one) is gone; a zombie is gone too.</summary>
    public static bool WaitGone(int pid, TimeSpan limit)
    {
        int fd = EndWatch.OpenPidfd(pid);
        if (fd < 0)
        {
            return true;
        }

        try
        {
            return Descriptors.Poll([new Libc.PollFd { Fd = fd, Events = Libc.PollIn }], (int)limit.TotalMilliseconds);
        }
        finally
        {
            Descriptors.Close(fd);
        }
    }

    public static int[] OwnDescriptors() => DescriptorsOf(System.Diagnostics.Process.GetCurrentProcess().Id);

    public static int[] DescriptorsOf(int pid) =>
        Directory.GetFileSystemEntries($"/proc/{pid}/fd").Select(path => int.Parse(Path.GetFileName(path))).OrderBy(fd => fd).ToArray();

    /// <summary>The children of this process that have ended and were not reaped.</summary>
    public static int Zombies()
    {
        int self = System.Diagnostics.Process.GetCurrentProcess().Id;
        return Directory.GetDirectories("/proc").Count(folder => int.TryParse(Path.GetFileName(folder), out _) && IsZombieOf(folder, self));
    }

    private static bool IsZombieOf(string folder, int parent)
    {
        try
        {
            string stat = File.ReadAllText(folder + "/stat");
            string[] fields = stat.Substring(stat.LastIndexOf(')') + 2).Split(' ');
            return fields[0] == "Z" && int.Parse(fields[1]) == parent;
        }
        catch (IOException)
        {
            return false;
        }
    }

    [DllImport("libc")]
    private static extern int kill(int pid, int signal);
}
