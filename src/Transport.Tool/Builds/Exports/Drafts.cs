using System;
using System.Globalization;
using System.IO;

namespace Transport.Tool;

/// <summary>Files that are there whole or not at all: written beside their place and moved there at the end.</summary>
internal static class Drafts
{
    /// <summary>Writes a file.</summary>
    /// <param name="path">Its place; what is there is replaced.</param>
    /// <param name="ending">How the draft's name ends.</param>
    /// <param name="write">Writes the draft and returns something.</param>
    /// <param name="takes">Whether that can write a file of this path; one that it cannot is written in the temporary folder and copied. Null:
    /// any.</param>
    /// <returns>What that returned.</returns>
    /// <exception cref="ToolException">It cannot be written; nothing is left of the draft.</exception>
    public static T Write<T>(string path, string ending, Func<string, T> write, Func<string, bool>? takes = null)
    {
        string full = Path.GetFullPath(path);
        string draft = Path.Combine(Path.GetDirectoryName(full)!,
            string.Create(CultureInfo.InvariantCulture, $".{Path.GetFileName(full)}.{Environment.ProcessId}{ending}"));
        try
        {
            T result = takes is null || takes(draft) ? write(draft) : WriteElsewhere(draft, ending, write);
            File.Move(draft, full, overwrite: true);
            return result;
        }
        catch (Exception e)
        {
            TryDelete(draft);
            if (e is IOException or UnauthorizedAccessException)
            {
                throw new ToolException($"{path} cannot be written: {e.Message}", ToolExitCodes.Fault);
            }

            throw;
        }
    }

    private static T WriteElsewhere<T>(string draft, string ending, Func<string, T> write)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("transport-");
        try
        {
            string file = Path.Combine(folder.FullName, "draft" + ending);
            T result = write(file);
            File.Copy(file, draft, overwrite: true);
            return result;
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static void TryDelete(string draft)
    {
        try
        {
            File.Delete(draft);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // What kept it from being written is what is reported.
        }
    }
}
