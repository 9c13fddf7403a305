using System;
using System.IO;
using System.Runtime.InteropServices;
using Transport.Files.Writing;

namespace Transport.Files.Managed;

/// <summary>
/// The lock of a staging: on Unix of the directory itself, on Windows a file in it that is open without sharing. The system lets go of it
/// when the process ends, however it ends.
/// </summary>
/// <remarks>No lock file on Unix: between opening and locking one, another process could remove it and make another.</remarks>
internal sealed class StagingLock : IDisposable
{
    private const int LockAlone = 2, LockAtOnce = 4;                             // LOCK_EX, LOCK_NB
    private const int Interrupted = 4, LinuxWouldBlock = 11, MacWouldBlock = 35; // EINTR, EWOULDBLOCK
    private readonly IDisposable _handle;

    private StagingLock(IDisposable handle) => _handle = handle;

    /// <summary>Gets the name of the file in the staging, on Windows.</summary>
    /// <param name="name">The target's name, which the content has there.</param>
    public static string FileName(string name) => name.Equals(".lock", StringComparison.OrdinalIgnoreCase) ? ".lock1" : ".lock";

    /// <summary>Takes the lock.</summary>
    /// <param name="staging">The staging.</param>
    /// <param name="name">The target's name.</param>
    /// <param name="isOwn">
    /// Whether this process has made the staging. Then a file system without locks will do: cleaners cannot lock there either.
    /// </param>
    /// <returns>The lock, or null: somebody else has it, or the staging is gone.</returns>
    public static StagingLock? TryTake(string staging, string name, bool isOwn)
    {
        try
        {
            return Platform.IsWindows ? new StagingLock(OpenAlone(Path.Combine(staging, FileName(name)))) : TryLockDirectory(staging, isOwn);
        }
        catch (Exception held) when (held is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    public void Dispose() => _handle.Dispose();

    private static FileStream OpenAlone(string path) =>
        new(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, 1, FileOptions.DeleteOnClose);

    private static StagingLock? TryLockDirectory(string staging, bool isOwn)
    {
        NetStandardFiles.UnixHandle handle = NetStandardFiles.Open(staging);
        int errno;
        do
        {
            errno = flock(handle.Fd, LockAlone | LockAtOnce) == 0 ? 0 : Marshal.GetLastWin32Error();
        }
        while (errno == Interrupted);

        // Its name is random, so what has the name now is what was opened.
        if ((errno == 0 || (isOwn && errno is not (LinuxWouldBlock or MacWouldBlock))) && Directory.Exists(staging))
        {
            return new StagingLock(handle);
        }

        handle.Dispose();
        return null;
    }

    [DllImport("libc", SetLastError = true)]
    private static extern int flock(int fd, int operation);
}
