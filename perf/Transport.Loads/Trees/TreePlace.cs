using System;
using System.Globalization;
using System.IO;
using Transport.Loads.Scratch;

namespace Transport.Loads.Trees;

/// <summary>A place to write trees into, where none of them is ever beside a removed one.</summary>
/// <remarks>
/// On a disk's file system, creating files soon after many were removed has been seen to take seven times as long, all of it in the kernel.
/// So there each round gets a new ext4 in an image file, which is thrown away whole; who may not mount gets fresh folders, all of which are
/// removed at the very end. In memory removing is harmless.
/// </remarks>
internal sealed class TreePlace : IDisposable
{
    private const long ImageBytes = 8L << 30;

    private readonly ScratchFolder _base;
    private readonly bool _inMemory;
    private readonly SlowDisk? _far;
    private bool _mounts;
    private int _round;
    private int _made;

    private TreePlace(string name, string parent, bool inMemory, SlowDisk? far = null)
    {
        Name = name;
        _far = far;
        _inMemory = inMemory;
        _mounts = !inMemory && far is null && Environment.IsPrivilegedProcess && OperatingSystem.IsLinux();
        _base = new ScratchFolder("trees", parent);
    }

    public string Name { get; }

    /// <summary>Gets what it is, for the page.</summary>
    public string Kind => IsFarAway ? "FUSE, 3 ms a request" : _inMemory ? "tmpfs"
        : _mounts ? "a new ext4 a round, in a file on the disk" : "fresh folders on the disk";

    /// <summary>Gets a value indicating whether each request waits.</summary>
    public bool IsFarAway => _far is not null;

    private string Image => Path.Combine(_base.Location, "image");

    private string Round => Path.Combine(_base.Location, string.Create(CultureInfo.InvariantCulture, $"round{_round}"));

    /// <summary>A place in memory; null if there is none.</summary>
    public static TreePlace? InMemory() => Directory.Exists(ScratchPath.Memory) ? new TreePlace("tmpfs", ScratchPath.Memory, inMemory: true)
        : null;

    /// <summary>A place on a disk that answers after 3 ms.</summary>
    /// <param name="why">Why there is none, or empty.</param>
    /// <returns>Null if there is none here.</returns>
    public static TreePlace? FarAway(out string why) =>
        SlowDisk.Mount(out why) is { } far ? new TreePlace("far", far.Path, inMemory: false, far) : null;

    public static TreePlace OnDisk() => new("disk", ScratchPath.Disk, inMemory: false);

    public void BeginRound()
    {
        _round++;
        Directory.CreateDirectory(Behind(Round));
        if (_mounts)
        {
            _mounts = Mount();
        }
    }

    public void EndRound()
    {
        if (_mounts)
        {
            Mounts.TryUnmountAllIn(Round);
            File.Delete(Image);
        }

        if (_inMemory)
        {
            Directory.Delete(Round, recursive: true);
        }
    }

    /// <summary>Gets where a path of this place is without the wait.</summary>
    public string Behind(string path) => _far?.Behind(path) ?? path;

    /// <summary>Names a folder that is not there yet.</summary>
    public string Fresh() => Path.Combine(Round, string.Create(CultureInfo.InvariantCulture, $"t{_made++}"));

    public void Dispose()
    {
        if (_mounts && File.Exists(Image))
        {
            Mounts.TryUnmountAllIn(Round);   // a round that ended in an exception
        }

        _base.Dispose();
        _far?.Dispose();
    }

    private bool Mount()
    {
        using (FileStream image = File.Create(Image))
        {
            image.SetLength(ImageBytes);
        }

        // Without the thread that would fill the inode tables while others are measured.
        bool mounted = Mounts.Tool("mkfs.ext4", "-q", "-F", "-E", "nodiscard", Image)
            && Mounts.Tool("mount", "-o", "loop,noinit_itable", Image, Round);
        if (!mounted)
        {
            File.Delete(Image);
        }

        return mounted;
    }
}
