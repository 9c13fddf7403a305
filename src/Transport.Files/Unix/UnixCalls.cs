using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Transport.Files;

/// <summary>The system calls relative to directory handles. Each returns the call's result or the negative error number.</summary>
/// <remarks>Interrupted calls are repeated. Members are virtual so that a test can let one fail.</remarks>
internal unsafe class UnixCalls
{
    private const int LongestName = 255;
    private const int NameBytes = (LongestName * 3) + 1;
    private const int StatusBytes = 256;

    public virtual int Open(int directory, string path, int flags, int mode = 0)
    {
        Span<byte> buffer = path.Length <= LongestName ? stackalloc byte[NameBytes] : new byte[(path.Length * 3) + 1];
        Utf8Names.Write(path.AsSpan(), buffer);
        fixed (byte* name = buffer)
        {
            int fd;
            while ((fd = Answer(Libc.openat(directory, name, flags | LinuxFlags.CloseOnExec, mode))) == -Errno.Interrupted)
            {
            }

            return fd;
        }
    }

    /// <summary>Opens by a path that contains no link and does not leave the directory.</summary>
    public virtual int OpenBeneath(int directory, string path, int flags)
    {
        byte[] buffer = new byte[(path.Length * 3) + 1];
        Utf8Names.Write(path.AsSpan(), buffer);
        ulong* how = stackalloc ulong[3] { (ulong)(flags | LinuxFlags.CloseOnExec), 0, LinuxFlags.NoLinks | LinuxFlags.Beneath };
        fixed (byte* name = buffer)
        {
            int fd;
            var size = (UIntPtr)(3 * sizeof(ulong));
            while ((fd = Answer((int)Libc.syscall((IntPtr)LinuxFlags.OpenAt2, (IntPtr)directory, name, how, size))) == -Errno.Interrupted)
            {
            }

            return fd;
        }
    }

    public virtual int MakeDirectory(int directory, string name, int mode)
    {
        Span<byte> buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(name.AsSpan(), buffer);
        fixed (byte* first = buffer)
        {
            return Answer(Libc.mkdirat(directory, first, mode));
        }
    }

    /// <summary>Writes some of the bytes.</summary>
    public virtual int Write(int fd, ReadOnlySpan<byte> bytes)
    {
        fixed (byte* first = bytes)
        {
            int count;
            while ((count = Answer((int)Libc.write(fd, first, (UIntPtr)bytes.Length))) == -Errno.Interrupted)
            {
            }

            return count;
        }
    }

    /// <summary>Reads some bytes from an offset on; returns 0 at the end.</summary>
    public virtual int Read(int fd, long at, Span<byte> buffer)
    {
        fixed (byte* first = buffer)
        {
            int count;
            while ((count = Answer((int)Libc.ReadAt(fd, first, (UIntPtr)buffer.Length, at))) == -Errno.Interrupted)
            {
            }

            return count;
        }
    }

    /// <summary>Closes a handle, never twice: after EINTR the handle is gone on Linux and its number may be in use again.</summary>
    public virtual int Close(int fd) => Answer(Libc.close(fd));

    public int Sync(int fd)
    {
        int answer;
        while ((answer = SyncOnce(fd)) == -Errno.Interrupted)
        {
        }

        return answer;
    }

    public virtual int SetMode(int fd, int mode) => Answer(Libc.fchmod(fd, mode));

    public virtual int SetTime(int fd, FileTime modified)
    {
        long* times = stackalloc long[4] { 0, LinuxFlags.OmitTime, modified.Seconds, modified.Nanoseconds };
        return Answer(Libc.futimens(fd, times));
    }

    public virtual int SetLinkTime(int directory, string name, FileTime modified)
    {
        Span<byte> buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(name.AsSpan(), buffer);
        long* times = stackalloc long[4] { 0, LinuxFlags.OmitTime, modified.Seconds, modified.Nanoseconds };
        fixed (byte* first = buffer)
        {
            return Answer(Libc.utimensat(directory, first, times, LinuxFlags.NoFollowAt));
        }
    }

    public virtual int MakeSymbolicLink(string target, int directory, string name)
    {
        byte[] said = new byte[(target.Length * 3) + 1];
        Utf8Names.Write(target.AsSpan(), said);
        Span<byte> buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(name.AsSpan(), buffer);
        fixed (byte* to = said, first = buffer)
        {
            return Answer(Libc.symlinkat(to, directory, first));
        }
    }

    public virtual int MakeHardLink(int fromDirectory, string from, int directory, string name)
    {
        Span<byte> source = stackalloc byte[NameBytes], buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(from.AsSpan(), source);
        Utf8Names.Write(name.AsSpan(), buffer);
        fixed (byte* old = source, first = buffer)
        {
            return Answer(Libc.linkat(fromDirectory, old, directory, first, 0)); // 0: link a symbolic link itself, not its target
        }
    }

    /// <summary>Gives an open file a further name through its entry in /proc, whatever its first name leads to by now.</summary>
    public virtual int LinkOpenFile(int fd, int directory, string name)
    {
        Span<byte> source = stackalloc byte[40], buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(FormattableString.Invariant($"/proc/self/fd/{fd}").AsSpan(), source);
        Utf8Names.Write(name.AsSpan(), buffer);
        fixed (byte* old = source, first = buffer)
        {
            return Answer(Libc.linkat(LinuxFlags.Here, old, directory, first, LinuxFlags.FollowAt));
        }
    }

    public virtual int Remove(int directory, string name, bool isDirectory)
    {
        Span<byte> buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(name.AsSpan(), buffer);
        fixed (byte* first = buffer)
        {
            return Answer(Libc.unlinkat(directory, first, isDirectory ? LinuxFlags.RemoveDirectory : 0));
        }
    }

    /// <summary>Renames; with flags by renameat2(2). The result is ENOSYS if the C library lacks it.</summary>
    public virtual int Rename(int fromDirectory, string from, int directory, string name, int flags)
    {
        Span<byte> source = stackalloc byte[NameBytes], buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(from.AsSpan(), source);
        Utf8Names.Write(name.AsSpan(), buffer);
        fixed (byte* old = source, first = buffer)
        {
            try
            {
                return Answer(flags == 0
                    ? Libc.renameat(fromDirectory, old, directory, first)
                    : Libc.renameat2(fromDirectory, old, directory, first, (uint)flags));
            }
            catch (EntryPointNotFoundException)
            {
                return -Errno.NoCall;
            }
        }
    }

    /// <summary>Reads the status of a name without following links; an empty name stands for the handle itself.</summary>
    public virtual int Look(int directory, string name, out UnixStatus status)
    {
        Span<byte> path = name.Length <= LongestName ? stackalloc byte[NameBytes] : new byte[(name.Length * 3) + 1];
        Utf8Names.Write(name.AsSpan(), path);
        Span<byte> buffer = stackalloc byte[StatusBytes];
        fixed (byte* first = path, answer = buffer)
        {
            int flags = LinuxFlags.NoFollowAt | (name.Length == 0 ? LinuxFlags.EmptyPath : 0);
            int result = Answer(Libc.statx(directory, first, flags, LinuxFlags.StatBasic, answer));
            status = result < 0 ? default : ParseStatus(buffer);
            return result;
        }
    }

    /// <summary>Takes the lock of an open file or directory, without waiting.</summary>
    public int Lock(int fd)
    {
        int answer;
        while ((answer = LockOnce(fd)) == -Errno.Interrupted)
        {
        }

        return answer;
    }

    /// <summary>Reads the next entries of an open directory in the layout of getdents64(2).</summary>
    /// <returns>The number of bytes; 0 at the end.</returns>
    public virtual int List(int fd, Span<byte> buffer)
    {
        fixed (byte* first = buffer)
        {
            var size = (UIntPtr)buffer.Length;
            int count;
            while ((count = Answer((int)Libc.getdents64(LinuxFlags.ListDirectory, (IntPtr)fd, first, size))) == -Errno.Interrupted)
            {
            }

            return count;
        }
    }

    /// <summary>Reserves blocks, and extends the file to their end unless it keeps its size.</summary>
    public virtual int Reserve(int fd, long offset, long length, bool keepsSize)
    {
        int result;
        int mode = keepsSize ? LinuxFlags.KeepSize : 0;
        while ((result = Answer(Libc.fallocate(fd, mode, (IntPtr)offset, (IntPtr)length))) == -Errno.Interrupted)
        {
        }

        return result;
    }

    /// <summary>Copies bytes into a mapping of the file, whose blocks must be reserved.</summary>
    public virtual int CopyToMapping(int fd, long offset, ReadOnlySpan<byte> bytes)
    {
        long start = offset & -(long)Environment.SystemPageSize;
        int before = (int)(offset - start);
        var length = (UIntPtr)(ulong)(before + (long)bytes.Length);
        IntPtr map = Libc.mmap(IntPtr.Zero, length, LinuxFlags.ProtectReadWrite, LinuxFlags.MapShared, fd, (IntPtr)start);
        if (map == (IntPtr)(-1))
        {
            return -Marshal.GetLastWin32Error();
        }

        bytes.CopyTo(new Span<byte>((byte*)map + before, bytes.Length));
        return Answer(Libc.munmap(map, length));
    }

    /// <summary>Sets the mode of a directory that is open as a path only, through its entry in /proc.</summary>
    public virtual int SetModeOfPath(int pathOnly, int mode)
    {
        Span<byte> buffer = stackalloc byte[40];
        Utf8Names.Write(FormattableString.Invariant($"/proc/self/fd/{pathOnly}").AsSpan(), buffer);
        fixed (byte* first = buffer)
        {
            return Answer(Libc.chmod(first, mode));
        }
    }

    /// <summary>Calls fsync(2) once; a signal may interrupt it on FUSE and NFS.</summary>
    protected virtual int SyncOnce(int fd) => Answer(Libc.fsync(fd));

    /// <summary>Calls flock(2) once; a signal may interrupt it.</summary>
    protected virtual int LockOnce(int fd) => Answer(Libc.flock(fd, LinuxFlags.LockAlone | LinuxFlags.LockAtOnce));

    private static int Answer(int result) => result >= 0 ? result : -Marshal.GetLastWin32Error();

    /// <summary>Reads struct statx of &lt;linux/stat.h&gt;.</summary>
    private static UnixStatus ParseStatus(ReadOnlySpan<byte> status)
    {
        const int Names = 16, User = 20, Mode = 28, Inode = 32, Size = 40, Seconds = 112, Nanoseconds = 120, Major = 136, Minor = 140;
        ulong device = ((ulong)UInt32(status, Major) << 32) | UInt32(status, Minor);
        var modified = new FileTime((long)UInt64(status, Seconds), (int)UInt32(status, Nanoseconds));
        return new UnixStatus(
            (int)(UInt32(status, Mode) & 0xFFFF),
            UInt32(status, User),
            UInt64(status, Inode),
            device,
            (long)UInt64(status, Size),
            modified,
            UInt32(status, Names));
    }

    private static uint UInt32(ReadOnlySpan<byte> status, int at) => BitConverter.IsLittleEndian
        ? BinaryPrimitives.ReadUInt32LittleEndian(status.Slice(at))
        : BinaryPrimitives.ReadUInt32BigEndian(status.Slice(at));

    private static ulong UInt64(ReadOnlySpan<byte> status, int at) => BitConverter.IsLittleEndian
        ? BinaryPrimitives.ReadUInt64LittleEndian(status.Slice(at))
        : BinaryPrimitives.ReadUInt64BigEndian(status.Slice(at));
}
