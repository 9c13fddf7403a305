using System;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Testing.Disks;

/// <summary>A small file system in memory; a test that has not the right to mount one is ignored, and says so. Compiled into each project
/// that needs it.</summary>
internal sealed class SmallFileSystem : IDisposable
{
    private SmallFileSystem(string path) => Path = path;

    public string Path { get; }

    public static async Task<SmallFileSystem> MountAsync(string path, string options)
    {
        Directory.CreateDirectory(path);
        int code = await Run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path);
        if (code != 0)
        {
            Assert.Ignore("needs the right to mount a tmpfs (root)");
        }

        return new SmallFileSystem(path);
    }

    public void Dispose() => Run("umount", "-l", Path).GetAwaiter().GetResult();

    private static async Task<int> Run(string program, params string[] arguments)
    {
        if (!ChildProcess.TryStart(new ProcessStartOptions(program, arguments), _ => { }, out ChildProcess? child, out StartError? error))
        {
            Assert.Ignore($"needs {program}: {error.Message}");
        }

        ProcessExit end = await child.WaitForExitAsync().Within(program);
        return end.ShellExitCode;
    }
}
