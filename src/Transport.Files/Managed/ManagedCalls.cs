using System;
using System.IO;

namespace Transport.Files;

/// <summary>Calls of .NET with this library's reasons and retries.</summary>
/// <remarks>Those that change what is at a target are virtual, so that tests can let one fail.</remarks>
internal class ManagedCalls
{
    private const int SharingViolation = unchecked((int)0x80070020);
    private const int LockViolation = unchecked((int)0x80070021);
    private const int DiskFull = unchecked((int)0x80070070);
    private const int HandleDiskFull = unchecked((int)0x80070027);
    private const int UnixDiskFull = 28;    // ENOSPC; on Unix an exception has the number itself
    private const int FileExists = unchecked((int)0x80070050);
    private const int AlreadyExists = unchecked((int)0x800700B7);

    /// <summary>Whether something has the path, a link that leads nowhere too.</summary>
    public static bool IsThere(string path) => AttributesOf(path) is not null;

    /// <summary>Whether it is a directory and no link to one.</summary>
    public static bool IsDirectory(string path) =>
        AttributesOf(path) is { } attributes
        && (attributes & (FileAttributes.Directory | FileAttributes.ReparsePoint)) == FileAttributes.Directory;

    /// <summary>Whether it is a link, wherever it leads.</summary>
    public static bool IsLink(string path) =>
        AttributesOf(path) is { } attributes && (attributes & FileAttributes.ReparsePoint) != 0;

    public static void Run(string operation, string path, Retries retries, Action call) => Run(operation, path, retries, () =>
    {
        call();
        return true;
    });

    public static T Run<T>(string operation, string path, Retries retries, Func<T> call)
    {
        for (int tries = 0; ;)
        {
            try
            {
                return call();
            }
            catch (Exception failed) when (failed is not FileCallException && failed is IOException or UnauthorizedAccessException)
            {
                // A scanner that has the file open shows as a sharing violation, at renames also as access denied.
                bool isMoment = failed.HResult is SharingViolation or LockViolation || (operation == "rename" && failed is UnauthorizedAccessException);
                if (!isMoment || !retries.Again(ref tries, path))
                {
                    // Unix and Windows have different numbers for this, and .NET several exceptions.
                    throw operation is "create" or "directory" && IsThere(path)
                        ? new FileCallException(operation, TransportFault.FileExists, "something is there already", failed.HResult, failed)
                        : new FileCallException(operation, FaultOf(failed), failed.Message, failed.HResult, failed);
                }
            }
        }
    }

    /// <summary>Renames a file, directory or link; fails if something has the new name, but for an empty directory on Unix.</summary>
    public virtual void Move(string from, string to)
    {
        if ((File.GetAttributes(from) & FileAttributes.Directory) != 0)
        {
            Directory.Move(from, to);
        }
        else
        {
            File.Move(from, to);
        }
    }

    /// <summary>Renames a file over a file or link, in one step.</summary>
    public virtual void ReplaceFile(string from, string to) => NetStandardFiles.Replace(from, to);

    /// <summary>Removes a file, a link, or a directory with all that is in it; links are not followed.</summary>
    public virtual void DeleteTree(string path)
    {
        if (IsDirectory(path))
        {
            Directory.Delete(path, true);
        }
        else if (IsThere(path))
        {
            File.Delete(path);
        }
    }

    public virtual void SyncFile(string path) => NetStandardFiles.Sync(path, isDirectory: false);

    /// <summary>Syncs a directory. Windows has no call for it; NTFS keeps its names in order by its own log.</summary>
    public virtual void SyncDirectory(string path)
    {
        if (!Platform.IsWindows)
        {
            NetStandardFiles.Sync(path, isDirectory: true);
        }
    }

    /// <summary>Refuses what a Windows path would take for something else than a name.</summary>
    public static void CheckName(string name)
    {
        string? fault = null;
        foreach (char c in name)
        {
            if (EntryName.IsEscapedByte(c))
            {
                fault = "has bytes that are no UTF-8";
            }
            else if (Platform.IsWindows && (c < ' ' || c is '\\' or ':' or '*' or '?' or '"' or '<' or '>' or '|' or '/'))
            {
                fault = "has a character that no name may have here";
            }
        }

        if (fault is null && Platform.IsWindows && (name[name.Length - 1] is '.' or ' ' || IsDevice(name)))
        {
            fault = "stands for another name here";
        }

        if (fault is not null)
        {
            throw new FileCallException("create", TransportFault.FilePathRefused, $"the name '{EntryName.Escape(name)}' {fault}");
        }
    }

    private static bool IsDevice(string name)
    {
        int dot = name.IndexOf('.');
        string stem = (dot < 0 ? name : name.Substring(0, dot)).TrimEnd(' ').ToUpperInvariant();
        return stem is "CON" or "PRN" or "AUX" or "NUL" or "CONIN$" or "CONOUT$"
            || (stem.Length == 4 && (stem.StartsWith("COM", StringComparison.Ordinal) || stem.StartsWith("LPT", StringComparison.Ordinal)) && (char.IsDigit(stem[3]) || stem[3] is '\u00B9' or '\u00B2' or '\u00B3'));
    }

    private static FileAttributes? AttributesOf(string path)
    {
        try
        {
            return File.GetAttributes(path);
        }
        catch (Exception gone) when (gone is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    private static TransportFault FaultOf(Exception failed) => failed.HResult switch
    {
        DiskFull or HandleDiskFull or UnixDiskFull => TransportFault.FileDiskFull,
        FileExists or AlreadyExists => TransportFault.FileExists,
        _ => TransportFault.FileFailed,
    };
}
