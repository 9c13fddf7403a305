using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Transport.Files.Tests.Kit;

/// <summary>A directory of a test, and its content as the system reports it.</summary>
internal sealed class TestRoot : IDisposable
{
    private const string Memory = "/dev/shm";

    public TestRoot()
    {
        // In memory if possible: a disk's file system is slow at creating files after many were removed, which these tests do most.
        Path = (Directory.Exists(Memory) ? Memory : "/tmp") + "/tf-" + Guid.NewGuid().ToString("N").Substring(0, 12);
        Directory.CreateDirectory(Path);
    }

    public string Path { get; }

    /// <summary>Gets the path of something in it.</summary>
    public string this[string name] => System.IO.Path.Combine(Path, name);

    /// <summary>Looks at something by its path below the root, links not followed.</summary>
    public UnixStatus Look(string path) => TryLook(path) ?? throw new FileNotFoundException(this[path]);

    public UnixStatus? TryLook(string path) => new UnixCalls().Look(LinuxFlags.Here, this[path], out UnixStatus status) < 0 ? null : status;

    /// <summary>Lists what is directly in the root; stagings are hidden files there.</summary>
    public string[] Names()
    {
        IEnumerable<string> names = Directory.GetFileSystemEntries(Path).Select(System.IO.Path.GetFileName).Cast<string>();
        return [.. names.OrderBy(n => n, StringComparer.Ordinal)];
    }

    /// <summary>Lists all paths below a directory, by handles, so that names that are not UTF-8 keep their bytes.</summary>
    public List<string> Tree(string name)
    {
        var calls = new UnixCalls();
        var found = new List<string>();
        int fd = calls.Open(LinuxFlags.Here, this[name], LinuxFlags.ReadOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
        Walk(calls, fd, string.Empty, found);
        found.Sort(StringComparer.Ordinal);
        return found;
    }

    public void Dispose()
    {
        var calls = new UnixCalls();
        int fd = calls.Open(LinuxFlags.Here, Path, LinuxFlags.ReadOnly | LinuxFlags.Directory);
        TreeRemover.Empty(calls, fd);
        _ = calls.Close(fd);
        Directory.Delete(Path);
    }

    private static void Walk(UnixCalls calls, int fd, string prefix, List<string> found)
    {
        foreach ((string name, bool isDirectory) in DirectoryListing.Read(calls, fd, "list"))
        {
            found.Add(prefix + name);
            if (isDirectory)
            {
                int folder = calls.Open(fd, name, LinuxFlags.ReadOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
                Walk(calls, folder, prefix + name + "/", found);
            }
        }

        _ = calls.Close(fd);
    }
}
