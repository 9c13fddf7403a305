using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>Pipes and reads on bare descriptors: FileStream over a pipe fails on Mono.</summary>
internal static unsafe class ChildDescriptors
{
    private const int CloexecLinux = 0x80000;
    private const uint FioclexMac = 0x20006601;

    /// <summary>
    /// Makes a pipe that no child inherits. Both ends are above 2, so that putting them onto 1 and 2 in a child never overwrites one.
    /// </summary>
    /// <exception cref="IOException">The system has no descriptor left.</exception>
    public static (int Read, int Write) Pipe()
    {
        var low = new List<int>();
        try
        {
            int* fds = stackalloc int[2];
            while (true)
            {
                int answer = Libc.IsMac ? Libc.pipe(fds) : Libc.pipe2(fds, CloexecLinux);
                if (answer != 0)
                {
                    throw new IOException($"No pipe for a child's output: errno {Marshal.GetLastWin32Error()}. Too many open descriptors?");
                }

                if (Libc.IsMac)
                {
                    _ = Libc.ioctl(fds[0], (UIntPtr)FioclexMac);
                    _ = Libc.ioctl(fds[1], (UIntPtr)FioclexMac);
                }

                if (fds[0] > 2 && fds[1] > 2)
                {
                    return (fds[0], fds[1]);
                }

                low.Add(fds[0]);
                low.Add(fds[1]);
            }
        }
        finally
        {
            low.ForEach(Close);
        }
    }

    public static void Close(int fd)
    {
        if (fd >= 0)
        {
            _ = Libc.close(fd); // after EINTR the descriptor is gone on Linux, and may be another's: never close twice
        }
    }

    /// <summary>Waits until one of them is ready.</summary>
    /// <exception cref="IOException">poll(2) failed for another reason than a signal.</exception>
    public static bool Poll(Libc.PollFd[] fds, int timeoutMs)
    {
        while (true)
        {
            int ready;
            fixed (Libc.PollFd* first = fds)
            {
                ready = Libc.poll(first, (UIntPtr)fds.Length, timeoutMs);
            }

            if (ready >= 0)
            {
                return ready > 0;
            }

            int errno = Marshal.GetLastWin32Error();
            if (errno != Libc.EINTR)
            {
                throw new IOException($"poll failed with errno {errno}.");
            }
        }
    }

    /// <summary>Reads what is there; 0 at the end of the stream, and for a stream that fails.</summary>
    public static int Read(int fd, byte[] buffer)
    {
        fixed (byte* first = buffer)
        {
            while (true)
            {
                var count = (int)Libc.read(fd, first, (UIntPtr)buffer.Length);
                if (count >= 0 || Marshal.GetLastWin32Error() != Libc.EINTR)
                {
                    return Math.Max(count, 0);
                }
            }
        }
    }

    public static void WriteByte(int fd)
    {
        byte one = 1;
        while ((int)Libc.write(fd, &one, (UIntPtr)1) < 0 && Marshal.GetLastWin32Error() == Libc.EINTR)
        {
        }
    }
}
