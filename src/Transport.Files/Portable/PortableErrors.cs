using System;
using System.IO;

namespace Transport.Files;

/// <summary>Converts the exceptions of .NET's file calls into this library's.</summary>
internal static class PortableErrors
{
    private const int SharingViolation = unchecked((int)0x80070020);
    private const int LockViolation = unchecked((int)0x80070021);
    private const int DiskFull = unchecked((int)0x80070070);
    private const int HandleDiskFull = unchecked((int)0x80070027);
    private const int FileExists = unchecked((int)0x80070050);
    private const int AlreadyExists = unchecked((int)0x800700B7);

    // On Unix an exception has the error number itself: EBUSY, ETXTBSY, ENOSPC, and EDQUOT of Linux and of macOS.
    private const int UnixBusy = 16, UnixTextBusy = 26, UnixDiskFull = 28, LinuxQuota = 122, MacQuota = 69;

    /// <summary>Checks whether a call of .NET failed for a reason of the file system.</summary>
    /// <param name="failed">The exception.</param>
    public static bool IsFromSystem(Exception failed) =>
        failed is not FileCallException && failed is IOException or UnauthorizedAccessException;

    /// <summary>Checks whether a failure may pass in a moment.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="failed">The exception.</param>
    public static bool IsMoment(string operation, Exception failed) =>
        failed.HResult is SharingViolation or LockViolation or UnixBusy or UnixTextBusy

        // A scanner that has the file open shows as a sharing violation, for renames also as access denied.
        || (operation == "rename" && failed is UnauthorizedAccessException);

    /// <summary>Creates the exception for a failed call.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="failed">The exception of .NET.</param>
    /// <param name="created">The path that was to be created, or null.</param>
    public static FileCallException Exception(string operation, Exception failed, string? created = null)
    {
        if (created is not null && PortableCalls.IsThere(created))
        {
            // Unix and Windows have different numbers for this, and .NET has several exceptions.
            return new(operation, TransportFault.FileExists, "something is there already", failed.HResult, failed);
        }

        return created is not null && failed is DirectoryNotFoundException or FileNotFoundException
            ? DirectoryRemoved(operation, failed)
            : new(operation, FaultOf(failed), failed.Message, failed.HResult, failed);
    }

    /// <summary>Creates the exception for an entry whose directory is gone.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="cause">The exception of .NET, or null.</param>
    public static FileCallException DirectoryRemoved(string operation, Exception? cause = null)
    {
        const string Removed = "the directory that it is to be in was removed meanwhile";
        return new(operation, TransportFault.FileTreeChanged, Removed, cause?.HResult ?? 0, cause);
    }

    private static TransportFault FaultOf(Exception failed) => failed.HResult switch
    {
        DiskFull or HandleDiskFull or UnixDiskFull or LinuxQuota or MacQuota => TransportFault.FileDiskFull,
        FileExists or AlreadyExists => TransportFault.FileExists,
        _ => TransportFault.FileFailed,
    };
}
