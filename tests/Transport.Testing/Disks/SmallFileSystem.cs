using System;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Testing.Disks;

/// <summary>A small file system in memory; a test that has not the right to mount one is ignored, and says so.</summary>
public sealed class SmallFileSystem : IDisposable
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
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, string.Join(" ", arguments)) { UseShellExecute = false })!;
            await Task.Run(process.WaitForExit).Within(program);
            return process.ExitCode;
        }
        catch (Win32Exception e)
        {
            Assert.Ignore($"needs {program}: {e.Message}");
            throw;
        }
    }
}
