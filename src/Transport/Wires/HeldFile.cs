using System;
using System.IO;
using System.Threading;

namespace Transport;

/// <summary>Files whose process lives: it holds a shared lock (flock) on its own for as long as it has it open, which the kernel drops with
/// the process. A process id says less: in another PID namespace it is another process's, or nobody's.</summary>
internal static class HeldFile
{
    private const int Tries = 3;

    /// <summary>How long a lock is waited for that somebody has: who clears away has it for two calls.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    /// <summary>Makes a file for this user alone (0600) and holds it until the stream is disposed of. On Windows nothing is held, and
    /// nobody clears away.</summary>
    /// <param name="path">A name that nobody uses.</param>
    /// <exception cref="IOException">It could not be made; nothing is left of it.</exception>
    /// <exception cref="UnauthorizedAccessException">The system does not let it be opened.</exception>
    public static FileStream Create(string path)
    {
        if (SocketPath.IsWindows)
        {
            return new FileStream(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);
        }

        for (int i = 0; i < Tries; i++)
        {
            int made = Make(path);
            try
            {
                if (TryHold(made, path))
                {
                    return Open(path);
                }
            }
            finally
            {
                FileDescriptor.Close(made);
            }
        }

        throw new IOException($"\"{path}\" could not be made: somebody takes it away or locks it");
    }

    /// <summary>Removes a file of this user's that nobody holds; what is no regular file, or another user's, stays.</summary>
    public static void RemoveIfFree(string path, uint user)
    {
        int flags = OpenFlags.ReadOnly | OpenFlags.NoFollow | OpenFlags.NonBlocking;
        if (FileDescriptor.TryOpen(path, flags, mode: 0, out int descriptor) != Errno.None)
        {
            return;
        }

        try
        {
            if (FileStatus.Read(descriptor, out FileStatus opened) == Errno.None && opened.Kind == FileKind.Regular && opened.User == user
                && FileDescriptor.TryLock(descriptor, Libc.LockExclusive | Libc.LockAtOnce) == Errno.None
                && FileStatus.ReadLink(path, out FileStatus named) == Errno.None && named.IsSameFileAs(opened))
            {
                _ = FilePath.TryUnlink(path);
            }
        }
        finally
        {
            FileDescriptor.Close(descriptor);
        }
    }

    private static int Make(string path)
    {
        int flags = OpenFlags.Create | OpenFlags.Exclusive | OpenFlags.ReadWrite;
        Errno error = FileDescriptor.TryOpen(path, flags, FilePath.OwnerOnly, out int descriptor);
        return error == Errno.None ? descriptor : throw new IOException($"\"{path}\" could not be made: {error.Describe()}");
    }

    /// <summary>Locks it. Between making and locking it is nobody's, and may be taken away: who does so holds it alone until its name is
    /// gone, so the lock is waited for before the name is looked at.</summary>
    private static bool TryHold(int descriptor, string path) =>
        SpinWait.SpinUntil(() => FileDescriptor.TryLock(descriptor, Libc.LockShared | Libc.LockAtOnce) != Errno.EAGAIN, Patience)
            && FileStatus.Read(descriptor, out FileStatus opened) == Errno.None
            && FileStatus.ReadLink(path, out FileStatus named) == Errno.None && named.IsSameFileAs(opened);

    /// <summary>Opens it as the runtime does, under a lock of its own; Mono takes no descriptor that it has not opened itself.</summary>
    private static FileStream Open(string path)
    {
        FileStream? file = null;
        try
        {
            file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);
            Errno error = FileDescriptor.TryLock((int)file.SafeFileHandle.DangerousGetHandle(), Libc.LockShared | Libc.LockAtOnce);
            return error == Errno.None ? file : throw new IOException($"\"{path}\" cannot be locked: {error.Describe()}");
        }
        catch
        {
            file?.Dispose();
            _ = FilePath.TryUnlink(path);
            throw;
        }
    }
}
