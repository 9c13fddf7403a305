using System.Globalization;

namespace Transport.Files;

/// <summary>Linux's error numbers: their text, their fault, and which of them pass by themselves.</summary>
internal static class Errno
{
    public const int NotPermitted = 1, NoEntry = 2, Interrupted = 4, TooLong = 7, Again = 11, AccessDenied = 13, Busy = 16, Exists = 17,
        OtherDevice = 18, NotDirectory = 20, IsDirectory = 21, Invalid = 22, SystemFiles = 23, OpenFiles = 24, TextBusy = 26,
        NoSpace = 28, NoCall = 38, NotEmpty = 39, Loop = 40, NotSupported = 95, Quota = 122;

    /// <summary>Checks whether an error may pass in a moment.</summary>
    /// <param name="errno">The error number.</param>
    public static bool IsMoment(int errno) => errno is Busy or TextBusy or Again;

    /// <summary>Checks whether a call failed because too many files are open.</summary>
    /// <param name="errno">The error number.</param>
    public static bool IsShortage(int errno) => errno is SystemFiles or OpenFiles;

    /// <summary>Creates the exception for a failed call.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="errno">The error number.</param>
    public static FileCallException Exception(string operation, int errno) => new(operation, Fault(errno), Text(errno), errno);

    /// <summary>Throws that exception if a call failed.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="answer">The call's answer: its result, or a negative error number.</param>
    /// <exception cref="FileCallException">It did.</exception>
    public static void ThrowIfFailed(string operation, int answer)
    {
        if (answer < 0)
        {
            throw Exception(operation, -answer);
        }
    }

    /// <summary>Creates the exception for a failed call on an entry that the message names.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="errno">The error number.</param>
    /// <param name="path">The entry's path.</param>
    public static FileCallException ExceptionOf(string operation, int errno, string path) =>
        new(operation, Fault(errno), $"{Text(errno)}: '{TerminalText.Escape(path)}'", errno);

    /// <summary>
    /// Creates the exception for an entry that could not be created relative to a handle. What is missing then can only be the directory of
    /// that handle.
    /// </summary>
    /// <param name="operation">The operation.</param>
    /// <param name="errno">The error number.</param>
    public static FileCallException CreationException(string operation, int errno) => errno == NoEntry
        ? new(operation, TransportFault.FileTreeChanged, "the directory that it is to be in was removed meanwhile (ENOENT)", errno)
        : Exception(operation, errno);

    /// <summary>Returns the text for an error number.</summary>
    /// <param name="errno">The error number.</param>
    public static string Text(int errno)
    {
        string? words = errno switch
        {
            NotPermitted => "not permitted (EPERM)",
            NoEntry => "no such file or directory (ENOENT)",
            5 => "the device failed (EIO)",
            12 => "no memory left in the system (ENOMEM)",
            AccessDenied => "permission denied (EACCES)",
            Busy => "busy (EBUSY)",
            Exists => "something is there already (EEXIST)",
            OtherDevice => "it is on another file system (EXDEV)",
            NotDirectory => "something in its path is no directory (ENOTDIR)",
            IsDirectory => "a directory is there (EISDIR)",
            Invalid => "the file system refuses this (EINVAL)",
            SystemFiles => "the system has too many open files (ENFILE)",
            OpenFiles => "this process has too many open files (EMFILE)",
            TextBusy => "the file is being executed (ETXTBSY)",
            27 => "the file is too large for the file system or the limit of this process (EFBIG)",
            NoSpace => "no space left on the file system (ENOSPC)",
            30 => "the file system is read-only (EROFS)",
            31 => "too many links (EMLINK)",
            36 => "the name is too long for this file system (ENAMETOOLONG)",
            NoCall => "the system cannot do this (ENOSYS)",
            NotEmpty => "a directory that is not empty is there (ENOTEMPTY)",
            Loop => "a symbolic link is in the way (ELOOP)",
            84 => "the file system does not take this name (EILSEQ)",
            116 => "its server does not know it any more (ESTALE)",
            NotSupported => "the file system cannot do this (EOPNOTSUPP)",
            Quota => "the quota is used up (EDQUOT)",
            _ => null,
        };
        return words ?? "error number " + errno.ToString(CultureInfo.InvariantCulture);
    }

    private static TransportFault Fault(int errno) => errno switch
    {
        NoSpace or Quota => TransportFault.FileDiskFull,
        Exists or NotEmpty or IsDirectory => TransportFault.FileExists,
        Loop or NotDirectory => TransportFault.FilePathRefused,
        _ => TransportFault.FileFailed,
    };
}
