using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Kit;

/// <summary>Looks at processes from outside.</summary>
internal static class ProcessTable
{
    public static void Signal(int pid, int signal) => kill(pid, signal);

    /// <summary>Stops a process (SIGSTOP) and waits until each of its threads stands: one that still runs may write.</summary>
    public static void Stop(int pid)
    {
        Signal(pid, 19);
        bool stopped = SpinWait.SpinUntil(
            () => Directory.GetDirectories($"/proc/{pid}/task").All(task => Stat(task)?[0] == "T"),
            WithinExtensions.Bound);
        Assert.That(stopped, Is.True, $"process {pid} is stopped");
    }

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
            return ChildDescriptors.Poll([new PollFd { Fd = fd, Events = PollFd.Input }], (int)limit.TotalMilliseconds);
        }
        finally
        {
            ChildDescriptors.Close(fd);
        }
    }

    public static int[] OwnDescriptors() => DescriptorsOf(System.Diagnostics.Process.GetCurrentProcess().Id);

    public static int[] DescriptorsOf(int pid) =>
        Directory.GetFileSystemEntries($"/proc/{pid}/fd").Select(path => int.Parse(Path.GetFileName(path))).OrderBy(fd => fd).ToArray();

    /// <summary>The children of this process that have ended and were not reaped.</summary>
    public static int Zombies() => Children("Z");

    /// <summary>The children of this process that were not reaped, in whatever state.</summary>
    public static int Children() => Children(null);

    private static int Children(string? state)
    {
        int self = System.Diagnostics.Process.GetCurrentProcess().Id;
        return Directory.GetDirectories("/proc")
            .Count(folder => int.TryParse(Path.GetFileName(folder), out _) && IsChildOf(folder, self, state));
    }

    private static bool IsChildOf(string folder, int parent, string? state) =>
        Stat(folder) is { } fields && (state is null || fields[0] == state) && int.Parse(fields[1]) == parent;

    /// <summary>Reads what the system reports of a process or thread, from its state on; null if it has ended.</summary>
    private static string[]? Stat(string folder)
    {
        try
        {
            string stat = File.ReadAllText(folder + "/stat");
            return stat.Substring(stat.LastIndexOf(')') + 2).Split(' ');
        }
        catch (IOException)
        {
            return null;
        }
    }

    [DllImport("libc")]
    private static extern int kill(int pid, int signal);
}
