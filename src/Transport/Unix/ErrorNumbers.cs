using System.Globalization;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>Converts the system's error numbers, and describes them to people.</summary>
internal static unsafe class ErrorNumbers
{
    // Apple's numbers that have no name here: moved out of the way of Linux's.
    private const int Foreign = 1000, FirstDifferent = 35;

    /// <summary>Returns the error for a number of the system that this process runs on.</summary>
    /// <param name="number">The number, as errno has it.</param>
    public static Errno FromSystem(int number) => Libc.IsMac ? FromMac(number) : (Errno)number;

    /// <summary>Returns the error for a number of macOS.</summary>
    /// <param name="number">The number, as errno has it.</param>
    public static Errno FromMac(int number) => number switch
    {
        11 => Errno.EDEADLK,
        < FirstDifferent => (Errno)number,
        35 => Errno.EAGAIN,
        38 => Errno.ENOTSOCK,
        43 => Errno.EPROTONOSUPPORT,
        45 or 102 => Errno.EOPNOTSUPP,
        47 => Errno.EAFNOSUPPORT,
        48 => Errno.EADDRINUSE,
        54 => Errno.ECONNRESET,
        57 => Errno.ENOTCONN,
        60 => Errno.ETIMEDOUT,
        61 => Errno.ECONNREFUSED,
        62 => Errno.ELOOP,
        63 => Errno.ENAMETOOLONG,
        66 => Errno.ENOTEMPTY,
        69 => Errno.EDQUOT,
        70 => Errno.ESTALE,
        78 => Errno.ENOSYS,
        92 => Errno.EILSEQ,
        _ => (Errno)(number + Foreign),
    };

    /// <summary>Returns what an error means, with its name, for a message: "permission denied (EACCES)".</summary>
    /// <param name="error">The error.</param>
    public static string Describe(this Errno error)
    {
        string? words = error switch
        {
            Errno.None => "no error",
            Errno.EPERM => "not permitted",
            Errno.ENOENT => "no such file or directory",
            Errno.ESRCH => "no such process",
            Errno.EINTR => "a signal interrupted it",
            Errno.EIO => "the device failed",
            Errno.ENXIO => "no such device, or nobody reads the pipe",
            Errno.E2BIG => "the arguments are too long",
            Errno.EBADF => "the descriptor is closed",
            Errno.ECHILD => "no such child process",
            Errno.EAGAIN => "not possible at the moment",
            Errno.ENOMEM => "no memory left in the system",
            Errno.EACCES => "permission denied",
            Errno.EBUSY => "busy",
            Errno.EEXIST => "something is there already",
            Errno.EXDEV => "it is on another file system",
            Errno.ENODEV => "no such device",
            Errno.ENOTDIR => "something in its path is no directory",
            Errno.EISDIR => "a directory is there",
            Errno.EINVAL => "the system refuses the arguments",
            Errno.ENFILE => "the system has too many open files",
            Errno.EMFILE => "this process has too many open files",
            Errno.ENOTTY => "the file or device does not know this request",
            Errno.ETXTBSY => "the file is being executed",
            Errno.EFBIG => "the file is too large for the file system or the limit of this process",
            Errno.ENOSPC => "no space left on the file system",
            Errno.ESPIPE => "a pipe or socket has no position",
            Errno.EROFS => "the file system is read-only",
            Errno.EMLINK => "too many links",
            Errno.EPIPE => "nobody reads the other end",
            Errno.EDEADLK => "it would wait for itself",
            Errno.ENAMETOOLONG => "the name is too long",
            Errno.ENOSYS => "the system cannot do this",
            Errno.ENOTEMPTY => "the directory is not empty",
            Errno.ELOOP => "a symbolic link is in the way",
            Errno.EILSEQ => "the file system does not take this name",
            Errno.ENOTSOCK => "it is no socket",
            Errno.EPROTONOSUPPORT => "the system does not have this protocol",
            Errno.EAFNOSUPPORT => "the system does not have this kind of address",
            Errno.EOPNOTSUPP => "the file system or socket cannot do this",
            Errno.EADDRINUSE => "the address is in use",
            Errno.ECONNRESET => "the peer broke the connection",
            Errno.ENOTCONN => "it is not connected",
            Errno.ETIMEDOUT => "no answer in time",
            Errno.ECONNREFUSED => "nobody listens there",
            Errno.ESTALE => "the file server does not know the file any more",
            Errno.EDQUOT => "the quota is used up",
            _ => null,
        };
        return words is null ? SystemText((int)error % Foreign) : error == Errno.None ? words : $"{words} ({error})";
    }

    private static string SystemText(int number)
    {
        // Only numbers without a name here come this far. glibc's text of an unknown one is the thread's own.
        string words = Marshal.PtrToStringAnsi((System.IntPtr)Libc.strerror(number)) ?? "unknown error";
        return $"{words} (error {number.ToString(CultureInfo.InvariantCulture)})";
    }
}
