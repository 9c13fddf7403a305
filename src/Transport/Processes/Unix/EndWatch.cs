using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Transport;

/// <summary>A descriptor that becomes readable when a child has ended, without reaping it.</summary>
/// <remarks>
/// A pidfd (Linux 5.3) if there is one: no further thread. Elsewhere a thread waits for the end without taking the status
/// (waitid, WNOWAIT) and writes to a pipe. Reaping stays with the one who may also kill, under its lock.
/// </remarks>
internal sealed unsafe class EndWatch : IDisposable
{
    private const int PidfdOpen = 434;
    private readonly int _wake;

    private EndWatch(int fd, int wake)
    {
        Fd = fd;
        _wake = wake;
    }

    public int Fd { get; }

    public static EndWatch Open(int pid)
    {
        int fd = OpenPidfd(pid);
        return fd >= 0 ? new EndWatch(fd, -1) : OpenWithThread(pid);
    }

    /// <summary>The descriptor of a process, a child or not; -1 if the system has none or there is no such process.</summary>
    public static int OpenPidfd(int pid) =>
        RuntimeInformation.IsOSPlatform(OSPlatform.Linux) ? (int)Libc.syscall((IntPtr)PidfdOpen, (IntPtr)pid, IntPtr.Zero) : -1;

    public static EndWatch OpenWithThread(int pid)
    {
        (int read, int write) = ChildDescriptors.Pipe();
        var thread = new Thread(() => WaitFor(pid, write), 64 << 10) { IsBackground = true, Name = $"wait {pid}" };
        thread.Start();
        return new EndWatch(read, write);
    }

    public void Dispose()
    {
        ChildDescriptors.Close(Fd);
        ChildDescriptors.Close(_wake);
    }

    private static void WaitFor(int pid, int wake)
    {
        byte* siginfo = stackalloc byte[256];
        int result;
        do
        {
            result = Libc.waitid(Libc.PPid, pid, siginfo, Libc.WExited | Libc.WNoWait);
        }
        while (Libc.IsInterrupted(result));

        ChildDescriptors.WriteByte(wake); // the reader closes both ends only after this byte
    }
}
