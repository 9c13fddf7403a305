using System;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.IO;

namespace Transport.Loads.Trees;

/// <summary>A place to write trees into, where none of them is ever beside a removed one.</summary>
/// <remarks>
/// On a disk's file system, creating files soon after many were removed has been seen to take seven times as long, all of it in the kernel. So there each round gets a
/// new ext4 in an image file, which is thrown away whole; who may not mount gets fresh folders, all of which are removed at the very end. In memory removing is harmless.
/// </remarks>
internal sealed class TreePlace : IDisposable
{
    /// <summary>Names a folder on a disk to measure in; without it: the temporary one, or, where that is in memory, the one of this program.</summary>
    public const string Variable = "TRANSPORT_LOADS_DISK";

    private const string Memory = "/dev/shm";
    private const long ImageBytes = 8L << 30;

    private readonly string _base;
    private readonly bool _inMemory;
    private bool _mounts;
    private int _round;
    private int _made;

    private TreePlace(string name, string parent, bool inMemory)
    {
        Name = name;
        _inMemory = inMemory;
        _mounts = !inMemory && Environment.IsPrivilegedProcess && OperatingSystem.IsLinux();
        _base = Directory.CreateDirectory(Path.Combine(parent, string.Create(CultureInfo.InvariantCulture, $"tree-loads-{Environment.ProcessId}-{name}"))).FullName;
    }

    public string Name { get; }

    /// <summary>Gets what it is, for the page.</summary>
    public string Kind => _inMemory ? "tmpfs" : _mounts ? "a new ext4 a round, in a file on the disk" : "fresh folders on the disk";

    private string Image => Path.Combine(_base, "image");

    private string Round => Path.Combine(_base, string.Create(CultureInfo.InvariantCulture, $"round{_round}"));

    /// <summary>A place in memory; null where there is none.</summary>
    public static TreePlace? InMemory() => Directory.Exists(Memory) ? new TreePlace("tmpfs", Memory, inMemory: true) : null;

    public static TreePlace OnDisk()
    {
        string? wanted = Environment.GetEnvironmentVariable(Variable);
        string temporary = Path.GetTempPath();
        return new TreePlace("disk", wanted ?? (new DriveInfo(temporary).DriveFormat is "tmpfs" or "ramfs" ? AppContext.BaseDirectory : temporary), inMemory: false);
    }

    public void BeginRound()
    {
        _round++;
        Directory.CreateDirectory(Round);
        if (_mounts)
        {
            _mounts = Mount();
        }
    }

    public void EndRound()
    {
        if (_mounts)
        {
            Tool("umount", Round);
            File.Delete(Image);
        }

        if (_inMemory)
        {
            Directory.Delete(Round, recursive: true);
        }
    }

    /// <summary>Names a folder that is not there yet.</summary>
    public string Fresh() => Path.Combine(Round, string.Create(CultureInfo.InvariantCulture, $"t{_made++}"));

    public void Dispose()
    {
        if (_mounts && File.Exists(Image))
        {
            Tool("umount", Round);   // a round that ended in an exception
        }

        Directory.Delete(_base, recursive: true);
    }

    private static bool Tool(string program, params string[] arguments)
    {
        try
        {
            using Process tool = Process.Start(new ProcessStartInfo(program, arguments) { UseShellExecute = false, RedirectStandardError = true, RedirectStandardOutput = true })!;
            tool.StandardError.ReadToEnd();
            tool.WaitForExit();
            return tool.ExitCode == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }

    private bool Mount()
    {
        using (FileStream image = File.Create(Image))
        {
            image.SetLength(ImageBytes);
        }

        // Without the thread that would fill the inode tables while others are measured.
        bool mounted = Tool("mkfs.ext4", "-q", "-F", "-E", "nodiscard", Image) && Tool("mount", "-o", "loop,noinit_itable", Image, Round);
        if (!mounted)
        {
            File.Delete(Image);
        }

        return mounted;
    }
}
