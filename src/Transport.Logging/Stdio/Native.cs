using System;
using System.Runtime.InteropServices;

namespace Transport.Logging;

/// <summary>The calls of libc that the capture needs. Blittable signatures only; none is variadic on macOS, where those have another calling convention.</summary>
internal static unsafe class Native
{
    public const int Eintr = 4;
    public const short PollIn = 1;
    public const short PollErr = 8;
    public const short PollHup = 16;

    private const int LinuxCloseOnExec = 0x80000; // O_CLOEXEC
    private const int LinuxDupCloseOnExec = 1030; // F_DUPFD_CLOEXEC
    private static readonly UIntPtr MacCloseOnExec = (UIntPtr)0x20006601; // FIOCLEX, takes no third argument

    private static readonly bool IsMac = RuntimeInformation.IsOSPlatform(OSPlatform.OSX);

    [StructLayout(LayoutKind.Sequential)]
    public struct PollFd
    {
        public int Fd;
        public short Events;
        public short Revents;
    }

    /// <summary>A pipe that no child inherits.</summary>
    public static bool TryPipe(out int read, out int write)
    {
        int* ends = stackalloc int[2];
        int failed = IsMac ? pipe(ends) : pipe2(ends, LinuxCloseOnExec);
        (read, write) = failed == 0 ? (AboveStandard(ends[0]), AboveStandard(ends[1])) : (-1, -1);
        if (failed == 0 && IsMac)
        {
            _ = ioctl(read, MacCloseOnExec);
            _ = ioctl(write, MacCloseOnExec);
        }

        return read >= 0 && write >= 0;
    }

    /// <summary>A second descriptor for the same file, above the standard ones, that no child inherits; negative on failure.</summary>
    public static int Duplicate(int fd)
    {
        if (!IsMac)
        {
            return fcntl(fd, LinuxDupCloseOnExec, 3);
        }

        int copy = dup(fd);
        _ = copy < 0 ? 0 : ioctl(copy, MacCloseOnExec);
        return copy;
    }

    /// <summary>Lets <paramref name="fd"/> mean the file of <paramref name="source"/> from now on, children included.</summary>
    public static bool Redirect(int source, int fd)
    {
        int result;
        while ((result = dup2(source, fd)) < 0 && Marshal.GetLastWin32Error() == Eintr)
        {
        }

        return result >= 0;
    }

    public static void Close(int fd)
    {
        if (fd >= 0)
        {
            _ = close(fd);
        }
    }

    /// <summary>Bytes read; 0 at the end; negative on failure.</summary>
    public static int Read(int fd, byte[] buffer)
    {
        fixed (byte* to = buffer)
        {
            IntPtr got;
            while ((got = read(fd, to, (UIntPtr)(uint)buffer.Length)) == (IntPtr)(-1) && Marshal.GetLastWin32Error() == Eintr)
            {
            }

            return (int)got;
        }
    }

    /// <summary>Writes all bytes as far as the system takes them.</summary>
    public static void Write(int fd, byte[] bytes)
    {
        fixed (byte* from = bytes)
        {
            int done = 0;
            while (done < bytes.Length)
            {
                var put = (int)write(fd, from + done, (UIntPtr)(uint)(bytes.Length - done));
                if (put <= 0 && Marshal.GetLastWin32Error() != Eintr)
                {
                    return;
                }

                done += Math.Max(put, 0);
            }
        }
    }

    /// <summary>Waits for input: how many descriptors have some; 0 when the time is up, negative on failure.</summary>
    public static int Poll(PollFd[] fds, int milliseconds)
    {
        fixed (PollFd* first = fds)
        {
            int ready;
            while ((ready = poll(first, (UIntPtr)(uint)fds.Length, milliseconds)) < 0 && Marshal.GetLastWin32Error() == Eintr)
            {
            }

            return ready;
        }
    }

    /// <summary>Writes what native code of this process has printed and libc still holds.</summary>
    public static void FlushNativeOutput() => _ = fflush(IntPtr.Zero);

    // In a process started with a standard stream closed, a new descriptor may get its number: redirecting would then close the pipe itself.
    private static int AboveStandard(int fd)
    {
        if (fd > 2)
        {
            return fd;
        }

        int higher = Duplicate(fd);
        Close(fd);
        return higher > 2 ? higher : -1;
    }

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int pipe2(int* ends, int flags);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int pipe(int* ends);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int dup(int fd);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int dup2(int source, int fd);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int fcntl(int fd, int command, int argument);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int ioctl(int fd, UIntPtr request);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int close(int fd);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr read(int fd, byte* buffer, UIntPtr count);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr write(int fd, byte* buffer, UIntPtr count);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int poll(PollFd* fds, UIntPtr count, int milliseconds);

    [DllImport("libc")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int fflush(IntPtr stream);
}
