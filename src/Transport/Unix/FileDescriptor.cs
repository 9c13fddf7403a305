using System;
using System.Diagnostics;

namespace Transport;

/// <summary>Calls on file descriptors. A call that a signal interrupts is made again.</summary>
internal static unsafe class FileDescriptor
{
    /// <summary>The first number above standard input, output and error.</summary>
    public const int FirstFree = 3;

    private const uint CloseOnExecMac = 0x20006601; // FIOCLEX

    /// <summary>Opens a file that no child inherits.</summary>
    /// <param name="path">The path.</param>
    /// <param name="flags">See <see cref="OpenFlags"/>; close-on-exec is added.</param>
    /// <param name="mode">The mode of a file that is created.</param>
    /// <param name="fd">The descriptor; -1 if it failed.</param>
    public static Errno TryOpen(string path, int flags, int mode, out int fd)
    {
        fixed (byte* at = Libc.PathBytes(path))
        {
            do
            {
                fd = Libc.Open(at, flags | OpenFlags.CloseOnExec, mode);
            }
            while (Libc.IsInterrupted(fd));
            return Libc.ErrorOf(fd);
        }
    }

    /// <summary>Closes a descriptor; a negative one is ignored.</summary>
    /// <remarks>An interrupted close is not made again: on Linux the number is free by then, and may be another file's.</remarks>
    public static void Close(int fd)
    {
        if (fd >= 0)
        {
            _ = Libc.close(fd);
        }
    }

    /// <summary>Creates a pipe that no child inherits.</summary>
    /// <param name="read">The end to read from; -1 if it failed.</param>
    /// <param name="write">The end to write to; likewise.</param>
    /// <param name="least">The least number of both; by default they are above the standard descriptors.</param>
    public static Errno TryCreatePipe(out int read, out int write, int least = FirstFree)
    {
        int* ends = stackalloc int[2];
        Errno error = Libc.ErrorOf(Libc.IsMac ? Libc.pipe(ends) : Libc.pipe2(ends, OpenFlags.CloseOnExec));
        (read, write) = (-1, -1);
        if (error != Errno.None)
        {
            return error;
        }

        if (Libc.IsMac)
        {
            _ = Libc.ioctl(ends[0], (UIntPtr)CloseOnExecMac);
            _ = Libc.ioctl(ends[1], (UIntPtr)CloseOnExecMac);
        }

        // In a process that was started with a standard stream closed, a new descriptor may get its number.
        error = MoveUp(ends[0], least, out read);
        if (error != Errno.None)
        {
            Close(ends[1]);
            return error;
        }

        error = MoveUp(ends[1], least, out write);
        if (error != Errno.None)
        {
            Close(read);
            read = -1;
        }

        return error;
    }

    /// <summary>Creates a file in memory, of no file system, that no child inherits. Linux only.</summary>
    /// <param name="name">A name for people, in /proc.</param>
    /// <param name="fd">The descriptor; -1 if it failed.</param>
    /// <param name="least">Its least number.</param>
    public static Errno TryCreateMemory(string name, out int fd, int least)
    {
        const uint CloseOnExec = 1, NotExecutable = 8;   // MFD_NOEXEC_SEAL, since Linux 6.3, and demanded by some systems
        int made;
        Errno error;
        fixed (byte* at = Libc.PathBytes(name))
        {
            made = Libc.memfd_create(at, CloseOnExec | NotExecutable);
            error = Libc.ErrorOf(made);
            if (error == Errno.EINVAL)
            {
                made = Libc.memfd_create(at, CloseOnExec);
                error = Libc.ErrorOf(made);
            }
        }

        fd = -1;
        return error == Errno.None ? MoveUp(made, least, out fd) : error;
    }

    /// <summary>Lets a pipe hold more, or less; the system may refuse it.</summary>
    public static void TrySetPipeCapacity(int fd, int bytes)
    {
        if (Libc.IsLinux)
        {
            _ = Libc.Fcntl(fd, Libc.SetPipeCapacity, bytes);
        }
    }

    /// <summary>Returns whether a descriptor is open to be read, written or both, as <see cref="OpenFlags"/> says it; -1: it is not
    /// open.</summary>
    public static int AccessOf(int fd) => Libc.Fcntl(fd, Libc.GetStatusFlags) is var flags and >= 0 ? flags & 3 : -1;

    /// <summary>Creates a second descriptor for the same file that no child inherits.</summary>
    /// <param name="fd">The file's descriptor.</param>
    /// <param name="copy">The second one; -1 if it failed.</param>
    /// <param name="least">Its least number; by default it is above the standard ones.</param>
    public static Errno TryDuplicate(int fd, out int copy, int least = FirstFree)
    {
        copy = Libc.Fcntl(fd, Libc.DuplicateCloseOnExec, least);
        return Libc.ErrorOf(copy);
    }

    /// <summary>Makes a descriptor mean another one's file, for children too.</summary>
    /// <param name="source">The descriptor of the file.</param>
    /// <param name="target">The descriptor that changes.</param>
    public static Errno TryRedirect(int source, int target)
    {
        int result;
        do
        {
            result = Libc.dup2(source, target);
        }
        while (Libc.IsInterrupted(result));
        return Libc.ErrorOf(result);
    }

    /// <summary>Keeps children from inheriting a descriptor.</summary>
    public static void KeepFromChildren(int fd)
    {
        int flags = Libc.Fcntl(fd, Libc.GetDescriptorFlags);
        if (flags >= 0 && (flags & Libc.CloseOnExecFlag) == 0)
        {
            _ = Libc.Fcntl(fd, Libc.SetDescriptorFlags, flags | Libc.CloseOnExecFlag);
        }
    }

    /// <summary>Lets reads and writes fail with EAGAIN instead of waiting.</summary>
    public static Errno TrySetNonBlocking(int fd)
    {
        int flags = Libc.Fcntl(fd, Libc.GetStatusFlags);
        Errno error = Libc.ErrorOf(flags);
        return error != Errno.None ? error : Libc.ErrorOf(Libc.Fcntl(fd, Libc.SetStatusFlags, flags | OpenFlags.NonBlocking));
    }

    /// <summary>Reads once.</summary>
    /// <param name="fd">The descriptor.</param>
    /// <param name="buffer">Where the bytes go.</param>
    /// <param name="count">How many there were; 0 at the end, -1 if it failed.</param>
    public static Errno TryRead(int fd, Span<byte> buffer, out int count)
    {
        fixed (byte* to = buffer)
        {
            long result;
            do
            {
                result = (long)Libc.read(fd, to, (UIntPtr)(uint)buffer.Length);
            }
            while (Libc.IsInterrupted(result));
            Errno error = Libc.ErrorOf(result);
            count = (int)result;
            return error;
        }
    }

    /// <summary>Writes once.</summary>
    /// <param name="fd">The descriptor.</param>
    /// <param name="bytes">The bytes, at least one.</param>
    /// <param name="count">How many were taken; -1 if it failed.</param>
    public static Errno TryWrite(int fd, ReadOnlySpan<byte> bytes, out int count)
    {
        fixed (byte* from = bytes)
        {
            long result;
            do
            {
                result = (long)Libc.write(fd, from, (UIntPtr)(uint)bytes.Length);
            }
            while (Libc.IsInterrupted(result));
            Errno error = Libc.ErrorOf(result);
            count = (int)result;
            return error;
        }
    }

    /// <summary>Writes all bytes; stops at the first failure.</summary>
    public static Errno TryWriteAll(int fd, ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            Errno error = TryWrite(fd, bytes, out int count);
            if (count <= 0)
            {
                return error == Errno.None ? Errno.EIO : error;
            }

            bytes = bytes.Slice(count);
        }

        return Errno.None;
    }

    /// <summary>Waits until a descriptor is ready.</summary>
    /// <param name="fds">The descriptors and what to wait for.</param>
    /// <param name="milliseconds">How long; 0 to look only, -1 without limit. A signal does not make it longer.</param>
    /// <param name="ready">How many are ready; 0 if the time is up, -1 if it failed.</param>
    public static Errno TryPoll(Span<PollFd> fds, int milliseconds, out int ready)
    {
        long start = milliseconds > 0 ? Stopwatch.GetTimestamp() : 0;
        int left = milliseconds;
        fixed (PollFd* first = fds)
        {
            while (true)
            {
                ready = Libc.poll(first, (UIntPtr)(uint)fds.Length, left);
                Errno error = Libc.ErrorOf(ready);
                if (error != Errno.EINTR)
                {
                    return error;
                }

                left = milliseconds > 0 ? Math.Max(0, milliseconds - ElapsedMilliseconds(start)) : milliseconds;
            }
        }
    }

    /// <summary>Locks a file or directory for this open descriptor, or unlocks it.</summary>
    /// <param name="fd">The descriptor.</param>
    /// <param name="operation">See flock(2). With <see cref="Libc.LockAtOnce"/> EAGAIN if somebody else has the lock.</param>
    public static Errno TryLock(int fd, int operation)
    {
        int result;
        do
        {
            result = Libc.flock(fd, operation);
        }
        while (Libc.IsInterrupted(result));
        return Libc.ErrorOf(result);
    }

    /// <summary>Makes a file's content durable, through the drive's own cache on macOS.</summary>
    public static Errno TrySyncData(int fd)
    {
        int result;
        do
        {
            result = Libc.IsMac ? Libc.Fcntl(fd, Libc.FullSyncMac) : Libc.fdatasync(fd);
        }
        while (Libc.IsInterrupted(result));
        Errno error = Libc.ErrorOf(result);

        // Only a file system that does not know macOS's call is asked by fsync: after a failure of the disk that would seem to succeed.
        return Libc.IsMac && error is Errno.EOPNOTSUPP or Errno.EINVAL or Errno.ENOTTY ? TrySync(fd) : error;
    }

    /// <summary>Makes a file or directory durable.</summary>
    public static Errno TrySync(int fd)
    {
        int result;
        do
        {
            result = Libc.fsync(fd);
        }
        while (Libc.IsInterrupted(result));
        return Libc.ErrorOf(result);
    }

    /// <summary>Returns how many descriptors this process may have; asked each time, because it can change.</summary>
    /// <returns>The limit; not positive if there is none.</returns>
    public static long Limit() => (long)Libc.sysconf(Libc.IsMac ? 5 : 4);   // _SC_OPEN_MAX

    private static Errno MoveUp(int fd, int least, out int moved)
    {
        moved = fd;
        if (fd >= least)
        {
            return Errno.None;
        }

        Errno error = TryDuplicate(fd, out moved, least);
        Close(fd);
        return error;
    }

    private static int ElapsedMilliseconds(long start) => (int)((Stopwatch.GetTimestamp() - start) * 1000 / Stopwatch.Frequency);
}
