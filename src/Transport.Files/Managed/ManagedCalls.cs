using System;
using System.IO;
using Transport.Files.Trees;
using Transport.Files.Writing;

namespace Transport.Files.Managed;

/// <summary>Calls of .NET with this library's reasons and retries.</summary>
internal static class ManagedCalls
{
    private const int SharingViolation = unchecked((int)0x80070020);
    private const int LockViolation = unchecked((int)0x80070021);
    private const int DiskFull = unchecked((int)0x80070070);
    private const int HandleDiskFull = unchecked((int)0x80070027);
    private const int FileExists = unchecked((int)0x80070050);
    private const int AlreadyExists = unchecked((int)0x800700B7);

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
                    throw new FileCallException(operation, FaultOf(failed), failed.Message, failed.HResult, failed);
                }
            }
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

    private static TransportFault FaultOf(Exception failed) => failed.HResult switch
    {
        DiskFull or HandleDiskFull => TransportFault.FileDiskFull,
        FileExists or AlreadyExists => TransportFault.FileExists,
        _ => TransportFault.FileFailed,
    };
}
