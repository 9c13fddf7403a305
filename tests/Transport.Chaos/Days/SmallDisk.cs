using System;
using System.Diagnostics;
using System.IO;

namespace Transport.Chaos.Days;

/// <summary>A small file system in memory, which others can fill and free again.</summary>
internal sealed class SmallDisk : IDisposable
{
    private readonly string _filler;

    public SmallDisk(string path, int kibibytes)
    {
        Root = path;
        _filler = Path.Combine(path, "filler");
        Directory.CreateDirectory(path);
        Run("mount", "-t", "tmpfs", "-o", FormattableString.Invariant($"size={kibibytes}k"), "tmpfs", path);
    }

    public string Root { get; }

    /// <summary>Takes what is free but for some bytes.</summary>
    public void Fill(long but)
    {
        using FileStream file = new(_filler, FileMode.Append, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        byte[] bytes = new byte[1 << 20];
        try
        {
            while (new DriveInfo(Root).AvailableFreeSpace - but is var more and > 0)
            {
                file.Write(bytes, 0, (int)Math.Min(bytes.Length, (more + 4095) & ~4095));
            }
        }
        catch (IOException)
        {
            // It is full.
        }
    }

    /// <summary>Gives all of that back.</summary>
    public void Free() => File.Delete(_filler);

    public void Dispose() => Run("umount", "-l", Root);

    private static void Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { UseShellExecute = false })!;
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            throw new IOException($"{program} {string.Join(' ', arguments)}: exit {process.ExitCode}");
        }
    }
}
