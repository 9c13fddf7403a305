using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using Transport.Loads.Scratch;

namespace Transport.Loads.Trees;

/// <summary>A file system that answers each request after 3 ms, as many at once as come (perf/floor/slowdisk.c): what a disk over a network
/// is like. Its files are in memory.</summary>
internal sealed class SlowDisk : IDisposable
{
    private const string Milliseconds = "3";
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(10);

    private readonly ScratchFolder _folder;
    private readonly Process _server;

    private SlowDisk(ScratchFolder folder, Process server)
    {
        _folder = folder;
        _server = server;
    }

    /// <summary>Gets where it is mounted.</summary>
    public string Path => PathIn(_folder);

    /// <summary>Mounts one.</summary>
    /// <param name="why">Why there is none, or empty.</param>
    /// <returns>Null if there is none here.</returns>
    public static SlowDisk? Mount(out string why)
    {
        why = !File.Exists("/dev/fuse") ? "no /dev/fuse here" : !Directory.Exists(ScratchPath.Memory) ? "no /dev/shm here" : string.Empty;
        if (why.Length > 0)
        {
            return null;
        }

        var folder = new ScratchFolder("slow", ScratchPath.Memory);
        string program = System.IO.Path.Combine(folder.Location, "slowdisk");
        if (Compile(program) is { } missing)
        {
            why = missing;
        }
        else if (Start(folder, program, out why) is { } server)
        {
            return new SlowDisk(folder, server);
        }

        folder.Dispose();
        return null;
    }

    /// <summary>Gets where a path of it is in memory.</summary>
    public string Behind(string path) => System.IO.Path.Combine(FilesIn(_folder), System.IO.Path.GetRelativePath(Path, path));

    public void Dispose()
    {
        Mounts.TryUnmountAllIn(Path);   // which ends the server
        if (!_server.WaitForExit(s_limit))
        {
            _server.Kill();
        }

        _server.Dispose();
        _folder.Dispose();
    }

    private static string FilesIn(ScratchFolder folder) => System.IO.Path.Combine(folder.Location, "files");

    private static string PathIn(ScratchFolder folder) => System.IO.Path.Combine(folder.Location, "mounted");

    private static string? Compile(string program)
    {
        string source = System.IO.Path.Combine(AppContext.BaseDirectory, "floor", "slowdisk.c");
        return Mounts.Tool("sh", "-c", $"gcc -O2 -D_FILE_OFFSET_BITS=64 -o '{program}' '{source}' $(pkg-config --cflags --libs fuse3)")
            ? null
            : "it does not compile here: it needs gcc, pkg-config and libfuse3-dev";
    }

    private static Process? Start(ScratchFolder folder, string program, out string why)
    {
        string files = Directory.CreateDirectory(FilesIn(folder)).FullName;
        string mounted = Directory.CreateDirectory(PathIn(folder)).FullName;
        var server = Process.Start(new ProcessStartInfo(program, [Milliseconds, files, mounted])
        {
            UseShellExecute = false, RedirectStandardError = true, RedirectStandardOutput = true,
        })!;
        Task<string?> said = server.StandardOutput.ReadLineAsync();
        if (Task.WhenAny(said, Task.Delay(s_limit)).GetAwaiter().GetResult() == said && said.GetAwaiter().GetResult() is not null)
        {
            why = string.Empty;
            return server;
        }

        server.Kill();
        why = "FUSE: " + server.StandardError.ReadToEnd().Trim();
        server.Dispose();
        return null;
    }
}
