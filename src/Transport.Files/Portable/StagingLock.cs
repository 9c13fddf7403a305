using System;
using System.IO;
using UnixErrno = Transport.Errno;

namespace Transport.Files;

/// <summary>
/// The lock of a staging: on Unix of the directory itself, on Windows a file in it that is open without sharing. The system releases it
/// when the process ends, however it ends.
/// </summary>
/// <remarks>Unix has no lock file: between opening and locking one, another process could replace it.</remarks>
internal sealed class StagingLock : IDisposable
{
    private readonly IDisposable _handle;
    private readonly string _staging;
    private readonly UnixStatus? _locked;   // null on Windows

    private StagingLock(IDisposable handle, string staging, UnixStatus? locked)
    {
        _handle = handle;
        _staging = staging;
        _locked = locked;
    }

    /// <summary>Gets the owner of the staging; null if the system does not report it.</summary>
    public uint? Owner => _locked?.User;

    /// <summary>Checks whether the staging still has its name, and no link or other directory does.</summary>
    public bool IsInPlace() => _locked is { } locked
        ? UnixLook.At(_staging) is { } named && named.IsSameAs(locked)
        : PortableCalls.IsDirectory(_staging);

    /// <summary>Gets the name of the file in the staging, on Windows.</summary>
    /// <param name="name">The target's name, which the content has there.</param>
    public static string FileName(string name) => name.Equals(".lock", StringComparison.OrdinalIgnoreCase) ? ".lock1" : ".lock";

    /// <summary>Takes the lock.</summary>
    /// <param name="staging">The staging.</param>
    /// <param name="name">The target's name.</param>
    /// <param name="isOwn">
    /// Whether this process created the staging. Then a file system without locks will do: cleaners cannot lock there either.
    /// </param>
    /// <returns>The lock; null if somebody else has it, the staging is gone, or another user owns it.</returns>
    public static StagingLock? TryTake(string staging, string name, bool isOwn)
    {
        try
        {
            return Platform.IsWindows
                ? new StagingLock(OpenAlone(Path.Combine(staging, FileName(name))), staging, null)
                : TryLockDirectory(staging, isOwn);
        }
        catch (Exception held) when (held is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    public void Dispose() => _handle.Dispose();

    /// <summary>Opens the lock file of Windows.</summary>
    /// <param name="path">Its path.</param>
    /// <exception cref="IOException">Somebody else has it, or it is a link: closing it would delete the link's target.</exception>
    internal static FileStream OpenAlone(string path) => PortableCalls.IsLink(path)
        ? throw new IOException("The lock file is a link.")
        : new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, 1, FileOptions.DeleteOnClose);

    private static StagingLock? TryLockDirectory(string staging, bool isOwn)
    {
        DescriptorHandle handle = NetStandardFiles.OpenDirectory(staging);
        UnixErrno error = FileDescriptor.TryLock(handle.Fd, Libc.LockExclusive | Libc.LockAtOnce);

        // The process that created a staging may use it whatever its owner is: some network file systems give it another one.
        var taken = new StagingLock(handle, staging, UnixLook.Of(handle));
        bool isLocked = error == UnixErrno.None || (isOwn && error != UnixErrno.EAGAIN);
        if (isLocked && (isOwn || taken.Owner == UnixLook.Caller) && taken.IsInPlace())
        {
            return taken;
        }

        handle.Dispose();
        return null;
    }
}
