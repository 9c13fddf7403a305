using System;
using System.Threading;

namespace Transport.Files;

/// <summary>A tree of which an output may take files over: an earlier state of what it writes. Safe for any thread.</summary>
internal sealed class EarlierTree : IDisposable
{
    private readonly UnixCalls _calls;
    private readonly int _root;
    private readonly int _umask = Umask.Read();
    private readonly uint _user = Libc.geteuid();
    private int _isUseless;

    private EarlierTree(UnixCalls calls, int root)
    {
        _calls = calls;
        _root = root;
    }

    /// <summary>Opens it; null where it is not there or cannot be read: then there is nothing to take over.</summary>
    public static EarlierTree? Open(UnixCalls calls, string directory)
    {
        int root = calls.Open(Libc.Here, directory, Libc.ReadOnly | Libc.Directory);
        return root < 0 ? null : new EarlierTree(calls, root);
    }

    /// <summary>Finds a file that would be what is to be written, were its bytes the same: of this user, with this mode and time, and with no other name, under which somebody might keep it.</summary>
    /// <param name="path">Its path in the tree; one that leads out of it, or through a link, finds nothing.</param>
    /// <param name="mode">The mode asked for, before the umask.</param>
    /// <param name="modified">The time.</param>
    /// <param name="length">The length, where it is known.</param>
    /// <returns>The file, or null: there is none.</returns>
    public EarlierFile? Find(string path, int mode, FileTime modified, long? length)
    {
        if (Volatile.Read(ref _isUseless) != 0 || path.IndexOf('\0') >= 0)
        {
            return null;
        }

        int fd = _calls.OpenBeneath(_root, path, Libc.ReadOnly | Libc.NoFollow | Libc.NoWait);
        if (fd < 0)
        {
            return null;
        }

        if (_calls.Look(fd, string.Empty, out UnixStatus status) >= 0
            && status.IsFile && status.Names == 1 && status.User == _user
            && status.Permissions == (mode & ~_umask) && status.Modified == modified && (length ?? status.Size) == status.Size)
        {
            return new EarlierFile(this, _calls, fd, status);
        }

        _ = _calls.Close(fd);
        return null;
    }

    /// <summary>Says that files cannot have further names here (another file system, no /proc): no more is looked for.</summary>
    public void GiveUp() => Volatile.Write(ref _isUseless, 1);

    public void Dispose() => _ = _calls.Close(_root);
}
