using System;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>The few calls of the C library that starting and reaping processes needs. None has variable arguments that matter (Apple's ARM passes those differently).</summary>
internal static unsafe class Libc
{
    public const int EINTR = 4, ECHILD = 10;
    public const short PollIn = 1, PollErr = 8, PollHup = 16;
    public const int SIGKILL = 9, SIGTERM = 15;
    public const int WNoHang = 1, WExited = 4, PPid = 1, XOk = 1;
    public const short SpawnSetPgroup = 2, SpawnSetSigDef = 4, SpawnSetSigMask = 8, SpawnCloexecDefaultMac = 0x4000;
    private const string Name = "libc";

    public static bool IsMac => RuntimeInformation.IsOSPlatform(OSPlatform.OSX);

    public static int WNoWait => IsMac ? 0x20 : 0x0100_0000;

    [DllImport(Name, SetLastError = true)]
    public static extern int pipe2(int* fds, int flags);

    [DllImport(Name, SetLastError = true)]
    public static extern int pipe(int* fds);

    [DllImport(Name, SetLastError = true)]
    public static extern int ioctl(int fd, UIntPtr request);

    [DllImport(Name, SetLastError = true)]
    public static extern int close(int fd);

    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr read(int fd, byte* buffer, UIntPtr count);

    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr write(int fd, byte* buffer, UIntPtr count);

    [DllImport(Name, SetLastError = true)]
    public static extern int poll(PollFd* fds, UIntPtr count, int timeoutMs);

    [DllImport(Name, SetLastError = true)]
    public static extern int waitpid(int pid, int* status, int options);

    [DllImport(Name, SetLastError = true)]
    public static extern int waitid(int kind, int pid, byte* siginfo, int options);

    [DllImport(Name, SetLastError = true)]
    public static extern int kill(int pid, int signal);

    [DllImport(Name, SetLastError = true)]
    public static extern int access(byte* path, int mode);

    /// <summary>Linux only: here for pidfd_open, for which older C libraries have no function.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr syscall(IntPtr number, IntPtr first, IntPtr second);

    [DllImport(Name)]
    public static extern int posix_spawn(int* pid, byte* path, byte* actions, byte* attributes, byte** argv, byte** envp);

    [DllImport(Name)]
    public static extern int posix_spawn_file_actions_init(byte* actions);

    [DllImport(Name)]
    public static extern int posix_spawn_file_actions_destroy(byte* actions);

    [DllImport(Name)]
    public static extern int posix_spawn_file_actions_adddup2(byte* actions, int fd, int target);

    [DllImport(Name)]
    public static extern int posix_spawn_file_actions_addopen(byte* actions, int fd, byte* path, int flags, uint mode);

    [DllImport(Name)]
    public static extern int posix_spawn_file_actions_addchdir_np(byte* actions, byte* path);

    [DllImport(Name)]
    public static extern int posix_spawn_file_actions_addclosefrom_np(byte* actions, int from);

    [DllImport(Name)]
    public static extern int posix_spawnattr_init(byte* attributes);

    [DllImport(Name)]
    public static extern int posix_spawnattr_destroy(byte* attributes);

    [DllImport(Name)]
    public static extern int posix_spawnattr_setflags(byte* attributes, short flags);

    [DllImport(Name)]
    public static extern int posix_spawnattr_setsigdefault(byte* attributes, byte* set);

    [DllImport(Name)]
    public static extern int posix_spawnattr_setsigmask(byte* attributes, byte* set);

    [DllImport(Name)]
    public static extern int posix_spawnattr_setpgroup(byte* attributes, int group);

    [DllImport(Name)]
    public static extern void _exit(int code);

    [DllImport(Name)]
    public static extern byte* getenv(byte* name);

    [DllImport(Name)]
    public static extern int unsetenv(byte* name);

    /// <summary>struct pollfd of poll(2).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PollFd
    {
        public int Fd;
        public short Events;
        public short Revents;

        public readonly bool IsReady => Fd >= 0 && Revents != 0;
    }
}
