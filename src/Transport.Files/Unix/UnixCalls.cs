using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Transport.Files;

/// <summary>The system's calls relative to handles of directories. Each answers what the call gave, or the negative error number; a signal that interrupts is not an answer. Virtual, so that tests can let one fail.</summary>
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
            while ((fd = Answer(Libc.openat(directory, name, flags | Libc.CloseOnExec, mode))) == -Errno.Interrupted)
            {
            }

            return fd;
        }
    }

    /// <summary>Opens by a path of which no part is a link, and which does not leave the directory.</summary>
    public virtual int OpenBeneath(int directory, string path, int flags)
    {
        byte[] buffer = new byte[(path.Length * 3) + 1];
        Utf8Names.Write(path.AsSpan(), buffer);
        ulong* how = stackalloc ulong[3] { (ulong)(flags | Libc.CloseOnExec), 0, Libc.NoLinks | Libc.Beneath };
        fixed (byte* name = buffer)
        {
            int fd;
            while ((fd = Answer((int)Libc.syscall((IntPtr)Libc.OpenAt2, (IntPtr)directory, name, how, (UIntPtr)(3 * sizeof(ulong))))) == -Errno.Interrupted)
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

    /// <summary>Writes some of it.</summary>
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

    /// <summary>Reads some bytes from a place on; 0 at the end.</summary>
    public virtual int Read(int fd, long at, Span<byte> buffer)
    {
        fixed (byte* first = buffer)
        {
            int count;
            while ((count = Answer((int)Libc.pread(fd, first, (UIntPtr)buffer.Length, at))) == -Errno.Interrupted)
            {
            }

            return count;
        }
    }

    /// <summary>Closes; after EINTR the handle is gone on Linux and may be another's, so it is never closed twice.</summary>
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
        long* times = stackalloc long[4] { 0, Libc.OmitTime, modified.Seconds, modified.Nanoseconds };
        return Answer(Libc.futimens(fd, times));
    }

    public virtual int SetLinkTime(int directory, string name, FileTime modified)
    {
        Span<byte> buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(name.AsSpan(), buffer);
        long* times = stackalloc long[4] { 0, Libc.OmitTime, modified.Seconds, modified.Nanoseconds };
        fixed (byte* first = buffer)
        {
            return Answer(Libc.utimensat(directory, first, times, Libc.NoFollowAt));
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
            return Answer(Libc.linkat(fromDirectory, old, directory, first, 0)); // 0: a symbolic link is linked itself, not what it points to
        }
    }

    /// <summary>Gives an open file a further name, through its entry in /proc: whatever its own name leads to by now.</summary>
    public virtual int LinkOpenFile(int fd, int directory, string name)
    {
        Span<byte> source = stackalloc byte[40], buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(FormattableString.Invariant($"/proc/self/fd/{fd}").AsSpan(), source);
        Utf8Names.Write(name.AsSpan(), buffer);
        fixed (byte* old = source, first = buffer)
        {
            return Answer(Libc.linkat(Libc.Here, old, directory, first, Libc.FollowAt));
        }
    }

    public virtual int Remove(int directory, string name, bool isDirectory)
    {
        Span<byte> buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(name.AsSpan(), buffer);
        fixed (byte* first = buffer)
        {
            return Answer(Libc.unlinkat(directory, first, isDirectory ? Libc.RemoveDirectory : 0));
        }
    }

    /// <summary>Renames; with flags by renameat2(2), which older C libraries lack: that is ENOSYS then.</summary>
    public virtual int Rename(int fromDirectory, string from, int directory, string name, int flags)
    {
        Span<byte> source = stackalloc byte[NameBytes], buffer = stackalloc byte[NameBytes];
        Utf8Names.Write(from.AsSpan(), source);
        Utf8Names.Write(name.AsSpan(), buffer);
        fixed (byte* old = source, first = buffer)
        {
            try
            {
                return Answer(flags == 0 ? Libc.renameat(fromDirectory, old, directory, first) : Libc.renameat2(fromDirectory, old, directory, first, (uint)flags));
            }
            catch (EntryPointNotFoundException)
            {
                return -Errno.NoCall;
            }
        }
    }

    /// <summary>Looks at what has a name, links not followed; with an empty name at the handle itself.</summary>
    public virtual int Look(int directory, string name, out UnixStatus status)
    {
        Span<byte> buffer = name.Length <= LongestName ? stackalloc byte[NameBytes] : new byte[(name.Length * 3) + 1];
        Utf8Names.Write(name.AsSpan(), buffer);
        Span<byte> told = stackalloc byte[StatusBytes];
        fixed (byte* first = buffer, answer = told)
        {
            int result = Answer(Libc.statx(directory, first, Libc.NoFollowAt | (name.Length == 0 ? Libc.EmptyPath : 0), Libc.StatBasic, answer));
            ulong device = ((ulong)Number(told, 136) << 32) | Number(told, 140);
            status = result < 0 ? default : new UnixStatus((int)(Number(told, 28) & 0xFFFF), Number(told, 20), Long(told, 32), device, (long)Long(told, 40), new FileTime((long)Long(told, 112), (int)Number(told, 120)), Number(told, 16));
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

    /// <summary>Reads the next entries of an open directory, as getdents64(2) lays them out.</summary>
    /// <returns>How many bytes; 0 at the end.</returns>
    public virtual int List(int fd, Span<byte> buffer)
    {
        fixed (byte* first = buffer)
        {
            var size = (UIntPtr)buffer.Length;
            int count;
            while ((count = Answer((int)Libc.getdents64(Libc.ListDirectory, (IntPtr)fd, first, size))) == -Errno.Interrupted)
            {
            }

            return count;
        }
    }

    /// <summary>Reserves blocks, and moves the end of the file behind them unless it keeps its size.</summary>
    public virtual int Reserve(int fd, long offset, long length, bool keepsSize)
    {
        int result;
        while ((result = Answer(Libc.fallocate(fd, keepsSize ? Libc.KeepSize : 0, offset, length))) == -Errno.Interrupted)
        {
        }

        return result;
    }

    /// <summary>Copies bytes into a mapping of the file; its blocks must be reserved.</summary>
    public virtual int CopyToMapping(int fd, long offset, ReadOnlySpan<byte> bytes)
    {
        long start = offset & -(long)Environment.SystemPageSize;
        int before = (int)(offset - start);
        var length = (UIntPtr)(ulong)(before + (long)bytes.Length);
        IntPtr map = Libc.mmap(IntPtr.Zero, length, Libc.ProtectReadWrite, Libc.MapShared, fd, start);
        if (map == (IntPtr)(-1))
        {
            return -Marshal.GetLastWin32Error();
        }

        bytes.CopyTo(new Span<byte>((byte*)map + before, bytes.Length));
        return Answer(Libc.munmap(map, length));
    }

    /// <summary>Gives a directory that is only known by a path-only handle a mode, through its entry in /proc.</summary>
    public virtual int SetModeOfPath(int pathOnly, int mode)
    {
        Span<byte> buffer = stackalloc byte[40];
        Utf8Names.Write(FormattableString.Invariant($"/proc/self/fd/{pathOnly}").AsSpan(), buffer);
        fixed (byte* first = buffer)
        {
            return Answer(Libc.chmod(first, mode));
        }
    }

    /// <summary>One call of fsync(2), which may be interrupted: FUSE and NFS let a signal do so.</summary>
    protected virtual int SyncOnce(int fd) => Answer(Libc.fsync(fd));

    /// <summary>One call of flock(2), which may be interrupted.</summary>
    protected virtual int LockOnce(int fd) => Answer(Libc.flock(fd, Libc.LockAlone | Libc.LockAtOnce));

    private static int Answer(int result) => result >= 0 ? result : -Marshal.GetLastWin32Error();

    private static uint Number(ReadOnlySpan<byte> status, int at) => BitConverter.IsLittleEndian ? BinaryPrimitives.ReadUInt32LittleEndian(status.Slice(at)) : BinaryPrimitives.ReadUInt32BigEndian(status.Slice(at));

    private static ulong Long(ReadOnlySpan<byte> status, int at) => BitConverter.IsLittleEndian ? BinaryPrimitives.ReadUInt64LittleEndian(status.Slice(at)) : BinaryPrimitives.ReadUInt64BigEndian(status.Slice(at));
}
