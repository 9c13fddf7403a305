using System;

namespace Transport;

/// <summary>What the kernel knows of a file: its kind, mode, owner, identity, size and time.</summary>
internal readonly unsafe record struct FileStatus
{
    private const uint BasicMask = 0x7ff;   // STATX_BASIC_STATS
    private const uint OthersWrite = 0x02, GroupWrite = 0x10;
    private const int StatusBytes = 256;    // struct statx has 256, struct stat of macOS 144

    public uint Mode { get; private init; }

    public uint User { get; private init; }

    public uint Group { get; private init; }

    public uint Links { get; private init; }

    public ulong Device { get; private init; }

    public ulong Inode { get; private init; }

    public long Size { get; private init; }

    /// <summary>Gets when the content changed last, in seconds since 1970.</summary>
    public long ModifiedSeconds { get; private init; }

    public uint ModifiedNanoseconds { get; private init; }

    public FileKind Kind => (FileKind)(Mode & 0xF000);

    /// <summary>Gets the bits of the mode for owner, group and others.</summary>
    public int Permissions => (int)(Mode & 0x1FF);

    /// <summary>Gets a value indicating whether others than its owner may write to it. The caller's own primary group counts as the caller:
    /// many systems give each user one, and a umask of 0002.</summary>
    public bool OthersMayWrite => (Mode & (Group == Libc.getegid() ? OthersWrite : OthersWrite | GroupWrite)) != 0;

    /// <summary>Checks whether two names or descriptors mean one file.</summary>
    public bool IsSameFileAs(in FileStatus other) => Inode == other.Inode && Device == other.Device;

    /// <summary>Reads the status of what is at a path; a symbolic link is not followed.</summary>
    public static Errno ReadLink(string path, out FileStatus status) => Read(path, Libc.NoFollowAt, out status);

    /// <summary>Reads the status of what is at a path; symbolic links are followed.</summary>
    public static Errno Read(string path, out FileStatus status) => Read(path, 0, out status);

    /// <summary>Reads the status of an open file.</summary>
    public static Errno Read(int fd, out FileStatus status)
    {
        byte* bytes = stackalloc byte[StatusBytes];
        byte empty = 0;
        int result = !Libc.IsMac ? Libc.statx(fd, &empty, Libc.EmptyPathAt, BasicMask, bytes)
            : Libc.IsArm ? Libc.fstat(fd, bytes) : Libc.fstatIntel(fd, bytes);
        return Finish(Libc.ErrorOf(result), bytes, out status);
    }

    private static Errno Read(string path, int flags, out FileStatus status)
    {
        byte* bytes = stackalloc byte[StatusBytes];
        fixed (byte* at = Libc.PathBytes(path))
        {
            int result = !Libc.IsMac ? Libc.statx(Libc.CurrentDirectory, at, flags, BasicMask, bytes) : ReadMac(at, flags, bytes);
            return Finish(Libc.ErrorOf(result), bytes, out status);
        }
    }

    private static int ReadMac(byte* path, int flags, byte* bytes) => (flags == Libc.NoFollowAt, Libc.IsArm) switch
    {
        (true, true) => Libc.lstat(path, bytes),
        (true, false) => Libc.lstatIntel(path, bytes),
        (false, true) => Libc.stat(path, bytes),
        _ => Libc.statIntel(path, bytes),
    };

    private static Errno Finish(Errno error, byte* bytes, out FileStatus status)
    {
        status = error != Errno.None ? default : Libc.IsMac ? FromMac(bytes) : FromLinux(bytes);
        return error;
    }

    /// <summary>Takes the fields out of struct statx of &lt;linux/stat.h&gt;.</summary>
    private static FileStatus FromLinux(byte* bytes) => new()
    {
        Links = *(uint*)(bytes + 16),
        User = *(uint*)(bytes + 20),
        Group = *(uint*)(bytes + 24),
        Mode = *(ushort*)(bytes + 28),
        Inode = *(ulong*)(bytes + 32),
        Size = *(long*)(bytes + 40),
        ModifiedSeconds = *(long*)(bytes + 112),
        ModifiedNanoseconds = *(uint*)(bytes + 120),
        Device = ((ulong)*(uint*)(bytes + 136) << 32) | *(uint*)(bytes + 140),
    };

    /// <summary>Takes the fields out of struct stat of macOS, with inodes of 64 bits.</summary>
    private static FileStatus FromMac(byte* bytes) => new()
    {
        Device = *(uint*)bytes,
        Mode = *(ushort*)(bytes + 4),
        Links = *(ushort*)(bytes + 6),
        Inode = *(ulong*)(bytes + 8),
        User = *(uint*)(bytes + 16),
        Group = *(uint*)(bytes + 20),
        ModifiedSeconds = *(long*)(bytes + 48),
        ModifiedNanoseconds = (uint)*(long*)(bytes + 56),
        Size = *(long*)(bytes + 96),
    };
}
