using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport.Files;

/// <summary>Handles of the directories in use, and of some that were: opened one by one from the root, never through a link, made where missing. Safe for any thread.</summary>
/// <param name="calls">The system.</param>
/// <param name="root">The root's handle; closed with this.</param>
/// <param name="isOwn">Whether nobody else has anything to make in here: what is found there and was not made here is an error.</param>
/// <param name="umask">The process's.</param>
/// <param name="retries">Counts tries.</param>
internal sealed class FolderHandles(UnixCalls calls, int root, bool isOwn, int umask, Retries retries) : IDisposable
{
    private const int MostIdle = 256;
    private const int ImpliedMode = 0x1ED, NamedMode = 0x1FF, OwnerAll = 0x1C0; // 0755, 0777, 0700
    private readonly object _gate = new();
    private readonly LinkedList<Handle> _idle = new();
    private readonly BeneathOpener _opener = new(calls, root);
    private long _made;

    public long Made => Volatile.Read(ref _made);

    /// <summary>Gives the handle of a directory, which stays open until <see cref="Release"/>.</summary>
    public int Acquire(Folder folder)
    {
        if (TryAcquire(folder, out int fd) || TryReopen(folder, out fd))
        {
            return fd;
        }

        var missing = new Stack<Folder>();
        Folder above = folder;
        do
        {
            missing.Push(above);
            above = above.Parent!;
        }
        while (!TryAcquire(above, out fd) && !TryReopen(above, out fd));

        while (missing.Count > 0)
        {
            Folder next = missing.Pop();
            int parent = fd;
            try
            {
                fd = OpenIn(parent, next);
            }
            finally
            {
                Release(next.Parent!);
            }
        }

        return fd;
    }

    public void Release(Folder folder)
    {
        if (folder.Parent is null)
        {
            return;
        }

        Handle? old = null;
        lock (_gate)
        {
            var handle = (Handle)folder.Handle!;
            if (--handle.Users > 0)
            {
                return;
            }

            _idle.AddLast(handle.Node);
            if (_idle.Count > MostIdle)
            {
                old = _idle.First!.Value;
                _idle.RemoveFirst();
                old.Folder.Handle = null;
            }
        }

        if (old is not null)
        {
            _ = calls.Close(old.Fd);
        }
    }

    /// <summary>Makes sure that the name still leads to the directory that was filled.</summary>
    public void CheckPlace(Folder folder)
    {
        if (folder.Parent is null)
        {
            return;
        }

        int parent = Acquire(folder.Parent);
        try
        {
            int found = calls.Look(parent, folder.Name, out UnixStatus status);
            if (found < 0 || !status.IsDirectory || Identity(status) != folder.Identity)
            {
                throw Changed();
            }
        }
        finally
        {
            Release(folder.Parent);
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            foreach (Handle handle in _idle)
            {
                handle.Folder.Handle = null;
                _ = calls.Close(handle.Fd);
            }

            _idle.Clear();
        }

        _ = calls.Close(root);
    }

    private static ulong Identity(in UnixStatus status) => status.Inode ^ (status.Device * 0x9E3779B97F4A7C15);

    private static FileCallException Changed() =>
        new("directory", TransportFault.FileTreeChanged, "somebody replaced or moved this directory while it was filled");

    private bool TryAcquire(Folder folder, out int fd)
    {
        if (folder.Parent is null)
        {
            fd = root;
            return true;
        }

        lock (_gate)
        {
            if (folder.Handle is not Handle handle)
            {
                fd = -1;
                return false;
            }

            if (handle.Users++ == 0)
            {
                _idle.Remove(handle.Node);
            }

            fd = handle.Fd;
            return true;
        }
    }

    /// <summary>Opens one that was open before, in one step from the root.</summary>
    private bool TryReopen(Folder folder, out int fd)
    {
        fd = -1;
        if (!folder.IsThere || folder.Parent?.Parent is null)
        {
            return false;
        }

        lock (folder)
        {
            if (TryAcquire(folder, out fd))
            {
                return true;
            }

            if (_opener.Open(folder.Path) is not { } answer)
            {
                return false;
            }

            fd = Keep(folder, answer);
            return true;
        }
    }

    private int OpenIn(int parent, Folder folder)
    {
        lock (folder)
        {
            if (TryAcquire(folder, out int fd))
            {
                return fd;
            }

            if (!folder.IsThere)
            {
                Make(parent, folder);
            }

            return Keep(folder, calls.Open(parent, folder.Name, Libc.ReadOnly | Libc.Directory | Libc.NoFollow));
        }
    }

    /// <summary>Takes a handle into use, if it is the directory's; closes it otherwise.</summary>
    private int Keep(Folder folder, int fd)
    {
        if (fd < 0)
        {
            throw (folder.IsThere || isOwn) && -fd is Errno.Loop or Errno.NotDirectory or Errno.NoEntry or Errno.OtherDevice ? Changed() : Errno.Exception("directory", -fd);
        }

        int looked = calls.Look(fd, string.Empty, out UnixStatus status);
        if (looked < 0 || (folder.IsThere && Identity(status) != folder.Identity))
        {
            _ = calls.Close(fd);
            throw looked < 0 ? Errno.Exception("directory", -looked) : Changed();
        }

        folder.Identity = Identity(status);
        folder.IsThere = true;
        lock (_gate)
        {
            folder.Handle = new Handle(folder, fd) { Users = 1 };
        }

        return fd;
    }

    private void Make(int parent, Folder folder)
    {
        int mode = folder.Mode >= 0 ? folder.Mode : folder.IsNamed ? NamedMode : ImpliedMode;
        for (int tries = 0; ;)
        {
            int made = calls.MakeDirectory(parent, folder.Name, mode | OwnerAll);
            if (made >= 0)
            {
                folder.MadeMode = (mode | OwnerAll) & ~umask;
                Interlocked.Increment(ref _made);
                return;
            }

            if (made == -Errno.Exists && !isOwn)
            {
                return;
            }

            if (!Errno.IsMoment(-made) || !retries.Again(ref tries, folder.Name))
            {
                throw Errno.MakingException("directory", -made);
            }
        }
    }

    private sealed class Handle
    {
        public Handle(Folder folder, int fd)
        {
            Folder = folder;
            Fd = fd;
            Node = new LinkedListNode<Handle>(this);
        }

        public Folder Folder { get; }

        public int Fd { get; }

        public int Users { get; set; }

        public LinkedListNode<Handle> Node { get; }
    }
}
