using System;
using System.IO;
using System.Linq;
using System.Threading;

namespace Transport.Files.Tests.Kit;

/// <summary>
/// Either file system with the same faults. Before each call a test is asked, by the call's word and the entry's name, for the error number
/// it fails with.
/// </summary>
/// <remarks>Words: create, write, time, sync, close, mkdir, symlink, rename (and on Unix those of <see cref="FaultyCalls"/>).</remarks>
internal sealed class FaultyFileSystem
{
    private readonly Func<string[]> _log;

    public FaultyFileSystem(FileSystemKind kind, Func<string, string, int> fault)
    {
        if (kind == FileSystemKind.Unix)
        {
            var calls = new FaultyCalls((word, name) => fault(word.StartsWith("rename", StringComparison.Ordinal) ? "rename" : word, name));
            FileSystem = new UnixFileSystem(calls);
            _log = () => calls.Log;
        }
        else
        {
            var calls = new FaultyPortableCalls((word, path) => Exception(fault(Word(word), Path.GetFileName(path))));
            FileSystem = new PortableFileSystem(calls);
            _log = () => [.. from line in calls.Log
                             let parts = line.Split([' '], 2)
                             select $"{Word(parts[0])} {Path.GetFileName(parts[1])}"];
        }
    }

    /// <summary>Gets the file system.</summary>
    public IFileSystem FileSystem { get; }

    /// <summary>Gets the calls so far, "word name".</summary>
    public string[] Log => _log();

    /// <summary>Returns a file system in which the first calls of one word fail.</summary>
    public static FaultyFileSystem First(FileSystemKind kind, int times, string call, int errno)
    {
        int left = times;
        return new FaultyFileSystem(kind, (word, _) => word == call && Interlocked.Decrement(ref left) >= 0 ? errno : 0);
    }

    private static string Word(string portable) => portable switch
    {
        "move" or "replace" => "rename",
        "file" or "folder" => "sync",
        _ => portable,
    };

    /// <summary>Returns the exception of .NET on Unix for an error number, in this library's words.</summary>
    private static Exception? Exception(int errno) => errno switch
    {
        0 => null,
        Errno.AccessDenied or Errno.NotPermitted => new DeniedException(errno),
        _ => new IOException(Errno.Text(errno), errno),
    };

    private sealed class DeniedException : UnauthorizedAccessException
    {
        public DeniedException(int errno)
            : base(Errno.Text(errno)) => HResult = errno;
    }
}
