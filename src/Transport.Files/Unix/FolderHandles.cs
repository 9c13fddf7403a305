using System;
using System.Collections.Generic;
using System.Threading;

namespace Transport.Files;

/// <summary>
/// The handles of directories in use, and of some used before. Directories are opened one by one from the root, never through a link, and
/// created if they are missing. Safe for any thread.
/// </summary>
/// <remarks>
/// One lock guards all handles, the reservations and the counter; no call of the system is made under it. A thread that opens a directory
/// reserves it first, so other threads wait for the result instead of opening it too.
/// </remarks>
/// <param name="calls">The system calls.</param>
/// <param name="root">The root's handle, closed with this.</param>
/// <param name="isOwn">Whether nobody else creates entries in this tree; then an unexpected directory is an error.</param>
/// <param name="umask">The process's umask.</param>
/// <param name="retries">Counts retries.</param>
internal sealed class FolderHandles(UnixCalls calls, int root, bool isOwn, int umask, Retries retries) : IDisposable
{
    private const int MostIdle = 256;
    private const int ShareOfLimit = 16; // the process needs its other descriptors: each thread takes two, and .NET ends without them
    private const int ImpliedMode = 0x1ED, NamedMode = 0x1FF, OwnerAll = 0x1C0; // 0755, 0777, 0700
    private readonly object _gate = new();
    private readonly LinkedList<Handle> _idle = new();
    private readonly HashSet<Folder> _reserved = [];
    private readonly BeneathOpener _opener = new(calls, root);
    private long _created;
    private int _mostIdle = FileDescriptor.Limit() is > 0 and var limit ? (int)Math.Min(MostIdle, limit / ShareOfLimit) : MostIdle;

    /// <summary>Gets the number of directories that were created.</summary>
    public long Created
    {
        get
        {
            lock (_gate)
            {
                return _created;
            }
        }
    }

    /// <summary>Opens a directory, and creates it and its parents if they are missing.</summary>
    /// <param name="folder">The directory.</param>
    /// <returns>Its handle, which stays open until the lease is disposed.</returns>
    /// <exception cref="FileCallException">It cannot be opened or created, or was replaced.</exception>
    public Lease Acquire(Folder folder)
    {
        if (TryAcquire(folder, out int fd) || TryReopen(folder, out fd))
        {
            return new Lease(this, folder, fd);
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

        return new Lease(this, folder, fd);
    }

    /// <summary>Makes sure that a directory's name still leads to the directory that was filled.</summary>
    /// <param name="folder">The directory.</param>
    /// <exception cref="FileCallException">It does not.</exception>
    public void ThrowIfReplaced(Folder folder)
    {
        if (folder.Parent is null)
        {
            return;
        }

        using Lease parent = Acquire(folder.Parent);
        int found = calls.Look(parent.Fd, folder.Name, out UnixStatus status);
        if (found < 0 || !status.IsDirectory || Identity(status) != folder.Identity)
        {
            throw Replaced();
        }
    }

    /// <summary>
    /// After a call that failed because too many files are open: closes the handles that nobody uses, and keeps none from now on; if there
    /// were none, pauses while others close theirs.
    /// </summary>
    /// <param name="answer">The call's answer: a handle, or a negative error number.</param>
    /// <param name="attempts">The caller's count of failed attempts, 0 at first.</param>
    /// <param name="name">What was to be opened.</param>
    /// <returns>Whether the call is worth another attempt.</returns>
    public bool MakesRoomFor(int answer, ref int attempts, string name) =>
        Errno.IsShortage(-answer) && (LetGo() || retries.TryPause(ref attempts, name));

    /// <summary>Closes the handles that nobody uses, and from now on each as soon as it is given back.</summary>
    /// <returns>Whether there were any.</returns>
    public bool LetGo()
    {
        List<int> idle = [];
        lock (_gate)
        {
            _mostIdle = 0;
            foreach (Handle handle in _idle)
            {
                handle.Folder.Handle = null;
                idle.Add(handle.Fd);
            }

            _idle.Clear();
        }

        idle.ForEach(fd => calls.Close(fd));
        return idle.Count > 0;
    }

    /// <summary>Closes all handles.</summary>
    public void Dispose()
    {
        _ = LetGo();
        _ = calls.Close(root);
    }

    private static ulong Identity(in UnixStatus status) => status.Inode ^ (status.Device * 0x9E3779B97F4A7C15);

    private static FileCallException Replaced() =>
        new("directory", TransportFault.FileTreeChanged, "somebody replaced or moved this directory while it was filled");

    private void Release(Folder folder)
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
            if (_idle.Count > _mostIdle)
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

    private bool TryAcquire(Folder folder, out int fd)
    {
        if (folder.Parent is null)
        {
            fd = root;
            return true;
        }

        lock (_gate)
        {
            return TryAcquireLocked(folder, out fd);
        }
    }

    private bool TryAcquireLocked(Folder folder, out int fd)
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

    /// <summary>Acquires an open directory, or reserves it for this thread to open, after the thread that opens it now.</summary>
    private bool TryAcquireOrReserve(Folder folder, out int fd)
    {
        lock (_gate)
        {
            while (!TryAcquireLocked(folder, out fd))
            {
                if (_reserved.Add(folder))
                {
                    return false;
                }

                Monitor.Wait(_gate);
            }

            return true;
        }
    }

    private void EndReservation(Folder folder)
    {
        lock (_gate)
        {
            _reserved.Remove(folder);
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Opens a directory that was open before, in one step from the root.</summary>
    private bool TryReopen(Folder folder, out int fd)
    {
        fd = -1;
        if (!folder.IsThere || folder.Parent?.Parent is null)
        {
            return false;
        }

        if (TryAcquireOrReserve(folder, out fd))
        {
            return true;
        }

        try
        {
            int attempts = 0;
            while (_opener.Open(folder.Path) is { } answer)
            {
                if (!MakesRoomFor(answer, ref attempts, folder.Name))
                {
                    fd = Keep(folder, answer);
                    return true;
                }
            }

            return false;
        }
        finally
        {
            EndReservation(folder);
        }
    }

    private int OpenIn(int parent, Folder folder)
    {
        if (TryAcquireOrReserve(folder, out int fd))
        {
            return fd;
        }

        try
        {
            if (!folder.IsThere && folder.MadeMode < 0) // made, and not there: it could not be opened
            {
                Create(parent, folder);
            }

            int attempts = 0;
            do
            {
                fd = calls.Open(parent, folder.Name, LinuxFlags.ReadOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
            }
            while (MakesRoomFor(fd, ref attempts, folder.Name));
            return Keep(folder, fd);
        }
        finally
        {
            EndReservation(folder);
        }
    }

    /// <summary>Takes a handle into use if it is the directory's; otherwise closes it and throws.</summary>
    private int Keep(Folder folder, int fd)
    {
        if (fd < 0)
        {
            bool isReplaced = (folder.IsThere || isOwn) && -fd is Errno.Loop or Errno.NotDirectory or Errno.NoEntry or Errno.OtherDevice;
            throw isReplaced ? Replaced() : Errno.Exception("directory", -fd);
        }

        int looked = calls.Look(fd, string.Empty, out UnixStatus status);
        if (looked < 0 || (folder.IsThere && Identity(status) != folder.Identity))
        {
            _ = calls.Close(fd);
            throw looked < 0 ? Errno.Exception("directory", -looked) : Replaced();
        }

        lock (_gate)
        {
            folder.Identity = Identity(status);
            folder.IsThere = true;
            folder.Handle = new Handle(folder, fd) { Users = 1 };
        }

        return fd;
    }

    private void Create(int parent, Folder folder)
    {
        int mode = folder.Mode >= 0 ? folder.Mode : folder.IsNamed ? NamedMode : ImpliedMode;
        for (int attempts = 0; ;)
        {
            int created = calls.MakeDirectory(parent, folder.Name, mode | OwnerAll);
            if (created >= 0)
            {
                folder.MadeMode = (mode | OwnerAll) & ~umask;
                lock (_gate)
                {
                    _created++;
                }

                return;
            }

            if (created == -Errno.Exists && !isOwn)
            {
                return;
            }

            if (!Errno.IsMoment(-created) || !retries.TryPause(ref attempts, folder.Name))
            {
                throw Errno.CreationException("directory", -created);
            }
        }
    }

    /// <summary>A directory's handle, open at least until this is disposed.</summary>
    /// <param name="owner">Where it comes from.</param>
    /// <param name="folder">The directory.</param>
    /// <param name="fd">The handle.</param>
    public readonly ref struct Lease(FolderHandles owner, Folder folder, int fd)
    {
        private readonly FolderHandles _owner = owner;
        private readonly Folder _folder = folder;

        /// <summary>Gets the handle.</summary>
        public int Fd { get; } = fd;

        /// <summary>Gives the handle back.</summary>
        public void Dispose() => _owner.Release(_folder);
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
