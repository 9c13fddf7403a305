using System;
using System.IO;

namespace Transport.Files;

/// <summary>The calls of .NET by path that change something.</summary>
/// <remarks>They throw .NET's own exceptions. Members are virtual so that a test can let one fail.</remarks>
internal class PortableCalls
{
    /// <summary>Checks whether something has the path, including a link that leads nowhere.</summary>
    /// <param name="path">The path.</param>
    public static bool IsThere(string path) => AttributesOf(path) is not null;

    /// <summary>Checks whether the path is a directory and not a link to one.</summary>
    /// <param name="path">The path.</param>
    public static bool IsDirectory(string path) =>
        AttributesOf(path) is { } attributes
        && (attributes & (FileAttributes.Directory | FileAttributes.ReparsePoint)) == FileAttributes.Directory;

    /// <summary>Checks whether the path is a link, wherever it leads.</summary>
    /// <param name="path">The path.</param>
    public static bool IsLink(string path) =>
        AttributesOf(path) is { } attributes && (attributes & FileAttributes.ReparsePoint) != 0;

    /// <summary>Runs a call, and retries it if it fails for a moment.</summary>
    /// <param name="operation">The operation. "create", "directory" and "link" create what has the path.</param>
    /// <param name="path">The path.</param>
    /// <param name="retries">Counts retries.</param>
    /// <param name="call">The call.</param>
    /// <exception cref="FileCallException">It failed.</exception>
    public static void Run(string operation, string path, Retries retries, Action call) => Run(operation, path, retries, () =>
    {
        call();
        return true;
    });

    /// <inheritdoc cref="Run(string, string, Retries, Action)"/>
    public static T Run<T>(string operation, string path, Retries retries, Func<T> call)
    {
        for (int attempts = 0; ;)
        {
            try
            {
                return call();
            }
            catch (Exception failed) when (PortableErrors.IsFromSystem(failed))
            {
                if (!PortableErrors.IsMoment(operation, failed) || !retries.TryPause(ref attempts, path))
                {
                    throw PortableErrors.Exception(operation, failed, operation is "create" or "directory" or "link" ? path : null);
                }
            }
        }
    }

    /// <summary>Creates a file exclusively.</summary>
    /// <param name="path">Its path.</param>
    public virtual FileStream CreateFile(string path) => new(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, 1);

    /// <summary>Writes bytes to a file or to a mapping of it.</summary>
    /// <param name="path">The file's path.</param>
    /// <param name="stream">The open file, or the mapping.</param>
    /// <param name="bytes">The bytes.</param>
    public virtual unsafe void Write(string path, Stream stream, ReadOnlySpan<byte> bytes)
    {
        fixed (byte* first = bytes)
        {
            using var source = new UnmanagedMemoryStream(first, bytes.Length);
            source.CopyTo(stream);
        }
    }

    /// <summary>Syncs an open file.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="stream">The open file.</param>
    public virtual void Sync(string path, FileStream stream) => stream.Flush(true);

    /// <summary>Closes an open file.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="stream">The open file.</param>
    public virtual void Close(string path, FileStream stream) => stream.Dispose();

    /// <summary>Sets the time of a file.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="modified">The time of the last change.</param>
    public virtual void SetTime(string path, FileTime modified) =>
        File.SetLastWriteTimeUtc(path, modified.ToDateTimeOffset().UtcDateTime);

    /// <summary>Sets the time of a directory.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="modified">The time of the last change.</param>
    public virtual void SetDirectoryTime(string path, FileTime modified) =>
        Directory.SetLastWriteTimeUtc(path, modified.ToDateTimeOffset().UtcDateTime);

    /// <summary>Creates a directory.</summary>
    /// <param name="path">Its path.</param>
    public virtual void CreateDirectory(string path) => Directory.CreateDirectory(path);

    /// <summary>Creates a symbolic link.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="target">The text it holds.</param>
    public virtual void CreateSymbolicLink(string path, string target) => NetStandardFiles.MakeLink(path, target);

    /// <summary>
    /// Renames a file, directory or link. It fails if something has the new name; on Unix a directory replaces an empty one.
    /// </summary>
    /// <param name="from">The path.</param>
    /// <param name="to">The new path.</param>
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

    /// <summary>Renames a file over a file or link in one step.</summary>
    /// <param name="from">The path.</param>
    /// <param name="to">The path that is replaced.</param>
    public virtual void ReplaceFile(string from, string to) => NetStandardFiles.Replace(from, to);

    /// <summary>Removes a file, a link, or a directory with everything in it. Links are not followed.</summary>
    /// <param name="path">The path; nothing happens if it is free.</param>
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

    /// <summary>Syncs a file.</summary>
    /// <param name="path">Its path.</param>
    public virtual void SyncFile(string path) => NetStandardFiles.Sync(path, isDirectory: false);

    /// <summary>Syncs a directory. Windows has no call for it; NTFS keeps its names in order by its own log.</summary>
    /// <param name="path">Its path.</param>
    public virtual void SyncDirectory(string path)
    {
        if (!Platform.IsWindows)
        {
            NetStandardFiles.Sync(path, isDirectory: true);
        }
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
}
