using System;
using System.Runtime.InteropServices;
using System.Text;

[assembly: DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]

namespace Transport;

/// <summary>
/// Declares every function of the C library that these packages call, with its constants for Linux (x64, arm64) and macOS. Only Unix may
/// call them. Read <see cref="LastError"/> immediately after a call that failed.
/// </summary>
internal static unsafe class Libc
{
    public const int CurrentDirectory = -100;                                   // AT_FDCWD, Linux
    public const int NoFollowAt = 0x100, RemoveDirectoryAt = 0x200;             // AT_SYMLINK_NOFOLLOW, AT_REMOVEDIR, Linux
    public const int FollowAt = 0x400, EmptyPathAt = 0x1000;                    // AT_SYMLINK_FOLLOW, AT_EMPTY_PATH, Linux
    public const int LockShared = 1, LockExclusive = 2, LockAtOnce = 4, Unlock = 8;
    public const int SIGINT = 2, SIGKILL = 9, SIGTERM = 15;
    public const int WNoHang = 1, WExited = 4, PPid = 1, XOk = 1, WOk = 2;
    public const short SpawnSetPgroup = 2, SpawnSetSigDef = 4, SpawnSetSigMask = 8, SpawnCloexecDefaultMac = 0x4000;

    /// <summary>F_GETFD, F_SETFD, F_GETFL and F_SETFL.</summary>
    public const int GetDescriptorFlags = 1, SetDescriptorFlags = 2, GetStatusFlags = 3, SetStatusFlags = 4;

    /// <summary>F_SETPIPE_SZ of Linux.</summary>
    public const int SetPipeCapacity = 1031;

    /// <summary>AF_UNIX and SOCK_STREAM.</summary>
    public const int UnixFamily = 1, StreamSocket = 1;

    /// <summary>FD_CLOEXEC.</summary>
    public const int CloseOnExecFlag = 1;

    /// <summary>F_FULLFSYNC of macOS, whose fsync leaves data in the drive's cache.</summary>
    public const int FullSyncMac = 51;

    private const string Name = "libc";

    public static readonly bool IsMac;
    public static readonly bool IsLinux;
    public static readonly bool IsArm;

    // Apple's ARM passes variable arguments on the stack: six more named ones fill the registers before them.
    private static readonly bool PassesVariableArgumentsOnStack;

    // An explicit one runs before the first member is used. By then all that reading errno needs is loaded and compiled: loading it between
    // a call and its errno would change that, if the host resolves assemblies by looking for files, as MSBuild does for loggers.
#pragma warning disable CA1810 // an initializer of a field may run later
    static Libc()
#pragma warning restore CA1810
    {
        IsMac = RuntimeInformation.IsOSPlatform(OSPlatform.OSX);
        IsLinux = RuntimeInformation.IsOSPlatform(OSPlatform.Linux);
        IsArm = RuntimeInformation.ProcessArchitecture is Architecture.Arm or Architecture.Arm64;
        PassesVariableArgumentsOnStack = IsMac && IsArm;
        _ = ErrorOf(-1);
    }

    /// <summary>Gets WNOWAIT.</summary>
    public static int WNoWait => IsMac ? 0x20 : 0x0100_0000;

    /// <summary>Gets F_DUPFD_CLOEXEC.</summary>
    public static int DuplicateCloseOnExec => IsMac ? 67 : 1030;

    /// <summary>Gets why the last call of this thread failed. No other call may come between.</summary>
    public static Errno LastError => ErrorNumbers.FromSystem(Marshal.GetLastWin32Error());

    /// <summary>Returns why a call failed, or None. A failed call is never reported as a success, even if errno is 0.</summary>
    /// <param name="result">What the call returned: negative if it failed.</param>
    public static Errno ErrorOf(long result) => result >= 0 ? Errno.None : LastError is var error and not Errno.None ? error : Errno.EIO;

    /// <summary>Checks whether a signal interrupted a call, which is then to be made again.</summary>
    /// <param name="result">What the call returned: negative if it failed.</param>
    public static bool IsInterrupted(long result) => result < 0 && LastError == Errno.EINTR;

    /// <summary>Returns a path as the system takes it: UTF-8 with a zero at its end.</summary>
    /// <param name="path">The path.</param>
    /// <exception cref="ArgumentException">The path contains a zero, behind which the system would not read.</exception>
    public static byte[] PathBytes(string path) => path.IndexOf('\0') < 0
        ? Encoding.UTF8.GetBytes(path + '\0')
        : throw new ArgumentException("A path cannot contain a zero character.", nameof(path));

    /// <summary>Calls open(2), which takes the mode as a variable argument.</summary>
    public static int Open(byte* path, int flags, int mode) => PassesVariableArgumentsOnStack
        ? open(path, flags, default, default, default, default, default, default, (IntPtr)mode)
        : open(path, flags, mode);

    /// <summary>Calls fcntl(2), which takes its argument as a variable one.</summary>
    public static int Fcntl(int fd, int command, int argument = 0) => PassesVariableArgumentsOnStack
        ? fcntl(fd, command, default, default, default, default, default, default, (IntPtr)argument)
        : fcntl(fd, command, (IntPtr)argument);

    /// <summary>Calls pread(2) with an offset of 64 bits, in a process of 32 bits too.</summary>
    public static long ReadAt(int fd, byte* bytes, UIntPtr count, long offset) =>
        (long)(IsNarrow ? pread64(fd, bytes, count, offset) : pread(fd, bytes, count, offset));

    /// <summary>Calls pwrite(2) with an offset of 64 bits, in a process of 32 bits too.</summary>
    public static long WriteAt(int fd, byte* bytes, UIntPtr count, long offset) =>
        (long)(IsNarrow ? pwrite64(fd, bytes, count, offset) : pwrite(fd, bytes, count, offset));

    // off_t has 32 bits in a Linux process of 32 bits; the C library has functions of other names for 64.
    private static bool IsNarrow => IntPtr.Size == 4 && IsLinux;

    [DllImport(Name, SetLastError = true)]
    public static extern int close(int fd);

    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr read(int fd, byte* buffer, UIntPtr count);

    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr write(int fd, byte* buffer, UIntPtr count);

    [DllImport(Name, SetLastError = true)]
    public static extern int dup2(int source, int target);

    [DllImport(Name, SetLastError = true)]
    public static extern int pipe(int* ends);

    [DllImport(Name, SetLastError = true)]
    public static extern int pipe2(int* ends, int flags);

    [DllImport(Name, SetLastError = true)]
    public static extern int poll(PollFd* fds, UIntPtr count, int milliseconds);

    [DllImport(Name, SetLastError = true)]
    public static extern int fsync(int fd);

    [DllImport(Name, SetLastError = true)]
    public static extern int fdatasync(int fd);

    [DllImport(Name, SetLastError = true)]
    public static extern int flock(int fd, int operation);

    [DllImport(Name, SetLastError = true)]
    public static extern int fallocate(int fd, int mode, IntPtr offset, IntPtr length);

    [DllImport(Name, SetLastError = true)]
    public static extern int socket(int family, int type, int protocol);

    [DllImport(Name, SetLastError = true)]
    public static extern int access(byte* path, int mode);

    /// <summary>statvfs(3). In a Linux process of 64 bits its result is 112 bytes: words of 8, the second the size of a fragment, the fifth
    /// how many are free for this user.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern int statvfs(byte* path, ulong* result);

    [DllImport(Name, SetLastError = true)]
    public static extern int openat(int directory, byte* path, int flags, int mode);

    [DllImport(Name, SetLastError = true)]
    public static extern int mkdirat(int directory, byte* path, int mode);

    [DllImport(Name, SetLastError = true)]
    public static extern int futimens(int fd, long* times);

    [DllImport(Name, SetLastError = true)]
    public static extern int utimensat(int directory, byte* path, long* times, int flags);

    [DllImport(Name, SetLastError = true)]
    public static extern int symlinkat(byte* target, int directory, byte* path);

    [DllImport(Name, SetLastError = true)]
    public static extern int linkat(int fromDirectory, byte* from, int toDirectory, byte* to, int flags);

    [DllImport(Name, SetLastError = true)]
    public static extern int unlinkat(int directory, byte* path, int flags);

    [DllImport(Name, SetLastError = true)]
    public static extern int renameat(int fromDirectory, byte* from, int toDirectory, byte* to);

    /// <summary>Linux only.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern int renameat2(int fromDirectory, byte* from, int toDirectory, byte* to, uint flags);

    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr mmap(IntPtr address, UIntPtr length, int protection, int flags, int fd, IntPtr offset);

    [DllImport(Name, SetLastError = true)]
    public static extern int munmap(IntPtr address, UIntPtr length);

    [DllImport(Name, SetLastError = true)]
    public static extern int chmod(byte* path, int mode);

    [DllImport(Name, SetLastError = true)]
    public static extern int fchmod(int fd, int mode);

    [DllImport(Name, SetLastError = true)]
    public static extern int mkdir(byte* path, int mode);

    [DllImport(Name, SetLastError = true)]
    public static extern int unlink(byte* path);

    [DllImport(Name, SetLastError = true)]
    public static extern int rename(byte* from, byte* to);

    [DllImport(Name, SetLastError = true)]
    public static extern int kill(int pid, int signal);

    [DllImport(Name, SetLastError = true)]
    public static extern int waitpid(int pid, int* status, int options);

    [DllImport(Name, SetLastError = true)]
    public static extern int waitid(int kind, int pid, byte* siginfo, int options);

    [DllImport(Name, SetLastError = true)]
    public static extern int getsockopt(int fd, int level, int name, void* value, uint* size);

    [DllImport(Name, SetLastError = true)]
    public static extern int getpeereid(int fd, uint* user, uint* group);

    /// <summary>Only for requests without a third argument, which would be a variable one.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern int ioctl(int fd, UIntPtr request);

    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr sysconf(int name);

    /// <summary>Linux only: for calls that older C libraries have no function for.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr syscall(IntPtr number, IntPtr first, IntPtr second);

    /// <summary>Linux only: for calls that the C library has no function for.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr syscall(
        IntPtr number, IntPtr first, IntPtr second, IntPtr third, IntPtr fourth, IntPtr fifth, IntPtr sixth);

    /// <summary>Linux only.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern int eventfd(uint value, int flags);

    /// <summary>Linux only.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern int memfd_create(byte* name, uint flags);

    [DllImport(Name)]
    public static extern void sync();

    /// <summary>Calls openat2 of Linux, for which the C library has no function.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern IntPtr syscall(IntPtr number, IntPtr directory, byte* path, ulong* how, UIntPtr size);

    /// <summary>Calls getdents64 of Linux, which older C libraries lack.</summary>
    [DllImport(Name, SetLastError = true, EntryPoint = "syscall")]
    public static extern IntPtr getdents64(IntPtr number, IntPtr directory, byte* entries, UIntPtr size);

    /// <summary>Linux only.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern int statx(int directory, byte* path, int flags, uint mask, byte* status);

    /// <summary>macOS only; on Intel the plain names have inodes of 32 bits.</summary>
    [DllImport(Name, SetLastError = true)]
    public static extern int fstat(int fd, byte* status);

    [DllImport(Name, SetLastError = true)]
    public static extern int lstat(byte* path, byte* status);

    [DllImport(Name, SetLastError = true)]
    public static extern int stat(byte* path, byte* status);

    [DllImport(Name, EntryPoint = "fstat$INODE64", SetLastError = true)]
    public static extern int fstatIntel(int fd, byte* status);

    [DllImport(Name, EntryPoint = "lstat$INODE64", SetLastError = true)]
    public static extern int lstatIntel(byte* path, byte* status);

    [DllImport(Name, EntryPoint = "stat$INODE64", SetLastError = true)]
    public static extern int statIntel(byte* path, byte* status);

    [DllImport(Name)]
    public static extern uint geteuid();

    [DllImport(Name)]
    public static extern uint getegid();

    [DllImport(Name)]
    public static extern int sigaction(int signal, IntPtr change, byte* old);

    [DllImport(Name)]
    public static extern IntPtr signal(int signal, IntPtr handler);

    [DllImport(Name)]
    public static extern int umask(int mask);

    [DllImport(Name)]
    public static extern byte* strerror(int number);

    [DllImport(Name)]
    public static extern int fflush(IntPtr stream);

    [DllImport(Name)]
    public static extern void _exit(int code);

    [DllImport(Name)]
    public static extern byte* getenv(byte* name);

    [DllImport(Name)]
    public static extern int unsetenv(byte* name);

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

    [DllImport(Name, SetLastError = true)]
    private static extern int open(byte* path, int flags, int mode);

    [DllImport(Name, SetLastError = true)]
    private static extern int open(byte* path, int flags, IntPtr r2, IntPtr r3, IntPtr r4, IntPtr r5, IntPtr r6, IntPtr r7, IntPtr mode);

    [DllImport(Name, SetLastError = true)]
    private static extern int fcntl(int fd, int command, IntPtr argument);

    [DllImport(Name, SetLastError = true)]
    private static extern int fcntl(int fd, int command, IntPtr r2, IntPtr r3, IntPtr r4, IntPtr r5, IntPtr r6, IntPtr r7, IntPtr argument);

    [DllImport(Name, SetLastError = true)]
    private static extern IntPtr pread(int fd, byte* bytes, UIntPtr count, long offset);

    [DllImport(Name, SetLastError = true)]
    private static extern IntPtr pwrite(int fd, byte* bytes, UIntPtr count, long offset);

    [DllImport(Name, SetLastError = true)]
    private static extern IntPtr pread64(int fd, byte* bytes, UIntPtr count, long offset);

    [DllImport(Name, SetLastError = true)]
    private static extern IntPtr pwrite64(int fd, byte* bytes, UIntPtr count, long offset);
}
