using System;
using System.IO;
using System.Security.Cryptography;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>Files that are there whole or not at all: written beside their place and moved there at the end. Each is for its user alone
/// (0600), as the journal is that it was made of. Its draft lies in a folder of its own (0700) with a name that nobody can guess, so that
/// in a folder of several users no link of another one stands in its place.</summary>
internal static class Drafts
{
    private const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Writes a file.</summary>
    /// <param name="path">Its place; what is there is replaced, a link itself and not what it names.</param>
    /// <param name="ending">How the draft's name ends.</param>
    /// <param name="write">Writes the draft and returns something.</param>
    /// <param name="takes">Whether that can write a file of this path; one that it cannot is written in the temporary folder and copied. Null:
    /// any.</param>
    /// <returns>What that returned.</returns>
    /// <exception cref="ToolException">It cannot be written; nothing is left of the draft.</exception>
    public static T Write<T>(string path, string ending, Func<string, T> write, Func<string, bool>? takes = null)
    {
        string full = Path.GetFullPath(path);
        string unique = "transport-" + RandomNumberGenerator.GetHexString(32, lowercase: true);
        string folder = Path.Combine(Path.GetDirectoryName(full)!, "." + unique);
        string draft = Path.Combine(folder, unique + ending);   // MSBuild names a temporary file after its log
        try
        {
            MakeFolder(folder);
            T result = takes is null || takes(draft) ? write(draft) : WriteElsewhere(draft, write);
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(draft, Owner);
            }

            File.Move(draft, full, overwrite: true);
            return result;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ToolException($"{path} cannot be written: {e.Message}", ToolExitCodes.Fault);
        }
        finally
        {
            TryRemove(folder);
        }
    }

    private static void MakeFolder(string folder)
    {
        if (!Directory.Exists(Path.GetDirectoryName(folder)))
        {
            throw new DirectoryNotFoundException("its folder is not there");
        }

        if (OperatingSystem.IsWindows())
        {
            _ = Directory.CreateDirectory(folder);
        }
        else
        {
            _ = Directory.CreateDirectory(folder, Owner | UnixFileMode.UserExecute);
        }
    }

    private static T WriteElsewhere<T>(string draft, Func<string, T> write)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("transport-");
        try
        {
            string file = Path.Combine(folder.FullName, Path.GetFileName(draft));
            T result = write(file);
            File.Copy(file, draft);
            return result;
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static void TryRemove(string folder)
    {
        try
        {
            if (Directory.Exists(folder))
            {
                Directory.Delete(folder, recursive: true);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // What kept it from being written is what is reported.
        }
    }
}
