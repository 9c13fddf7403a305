using System;
using System.Collections.Generic;
using System.IO;

namespace Transport.Journal;

/// <summary>Whose a directory and its files are, and who may write to them, as the kernel of a Unix system shows them.</summary>
internal static class FolderPrivacy
{
    /// <summary>Says why a directory is not this user's alone to write to; null: it is.</summary>
    /// <remarks>Files are looked at too: somebody may have put them there before the directory's mode was changed.</remarks>
    public static string? FaultOf(string path)
    {
        if (FaultOf(path, "the directory", isFolder: true) is { } fault)
        {
            return fault;
        }

        foreach (string file in Files(path))
        {
            if (FaultOf(file, $"its file {Path.GetFileName(file)}", isFolder: false) is { } wrong)
            {
                return wrong;
            }
        }

        return null;
    }

    private static string? FaultOf(string path, string what, bool isFolder)
    {
        // A directory may be named by a link of the user's own; a journal's file may not be one, which opening it says.
        Errno error = isFolder ? FileStatus.Read(path, out FileStatus status) : FileStatus.ReadLink(path, out status);
        if (error != Errno.None)
        {
            return null;   // what reads it next says why it cannot
        }

        uint user = Libc.geteuid();
        return status.User != user ? $"{what} belongs to user id {status.User}, and this process runs as {user}"
            : status.Kind != FileKind.SymbolicLink && status.OthersMayWrite
                ? $"the mode of {what} is 0{Convert.ToString(status.Permissions, 8)}, so that others may write to it"
            : null;
    }

    private static IEnumerable<string> Files(string path)
    {
        try
        {
            return Directory.GetFiles(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];   // as above
        }
    }
}
