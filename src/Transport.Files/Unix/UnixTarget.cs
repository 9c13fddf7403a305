using System;

namespace Transport.Files;

/// <summary>The target's name in its parent directory; the only place that can replace something.</summary>
internal sealed class UnixTarget : IDisposable
{
    private const int MostTurns = 100;
    private const int OwnerWrite = 0x80; // 0200
    private readonly UnixCalls _calls;
    private readonly string _name;
    private readonly ExistingTarget _existing;
    private readonly Retries _retries;
    private bool _hasEmptyDirectory;

    private UnixTarget(UnixCalls calls, int parent, string name, ExistingTarget existing, Retries retries)
    {
        _calls = calls;
        _name = name;
        _existing = existing;
        _retries = retries;
        Parent = parent;
    }

    /// <summary>Gets the handle of the parent directory.</summary>
    public int Parent { get; }

    /// <summary>Opens the parent directory and refuses at once what could not be published in the end.</summary>
    /// <param name="calls">The system calls.</param>
    /// <param name="parent">The parent's path.</param>
    /// <param name="name">The target's name.</param>
    /// <param name="existing">What may be replaced.</param>
    /// <param name="retries">Counts retries.</param>
    /// <exception cref="FileCallException">The parent cannot be opened, or the target may not be replaced.</exception>
    public static UnixTarget Open(UnixCalls calls, string parent, string name, ExistingTarget existing, Retries retries)
    {
        int fd = calls.Open(LinuxFlags.Here, parent, LinuxFlags.ReadOnly | LinuxFlags.Directory);
        if (fd < 0)
        {
            throw StagingErrors.ParentMissing(Errno.Text(-fd), -fd);
        }

        var target = new UnixTarget(calls, fd, name, existing, retries);
        try
        {
            target.ThrowIfTaken();
            return target;
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }

    /// <summary>Gives content the target's name by one rename or one exchange.</summary>
    /// <param name="staging">The handle of the content's directory.</param>
    /// <param name="content">The content's name in it.</param>
    /// <exception cref="FileCallException">The target still is what it was.</exception>
    public void Take(int staging, string content)
    {
        int answer = _existing == ExistingTarget.Replace ? Replace(staging, content) : Move(staging, content);
        if (answer == -Errno.NoEntry)
        {
            throw StagingErrors.NoContent(Errno.NoEntry);
        }

        if (answer == -Errno.Busy)
        {
            const string InUse = "the target is in use: is it a mount point? (EBUSY)";
            throw new FileCallException("publish", TransportFault.FileFailed, InUse, Errno.Busy);
        }

        if (answer is -Errno.Invalid or -Errno.NoCall && _existing == ExistingTarget.Replace)
        {
            throw StagingErrors.NoExchange(-answer);
        }

        if (answer < 0)
        {
            FileCallException plain = Errno.Exception("publish", -answer);
            throw plain.Fault == TransportFault.FileExists ? StagingErrors.TargetAppeared(-answer, plain) : plain;
        }
    }

    /// <summary>Moves the directory that has the target's name into another.</summary>
    /// <param name="staging">The handle of the other.</param>
    /// <param name="content">The name it gets there.</param>
    /// <returns>False if nothing has the target's name.</returns>
    /// <exception cref="FileCallException">It is a link, no directory, or cannot be moved.</exception>
    public bool TryTakeAway(int staging, string content)
    {
        for (int attempts = 0, turn = 0; ; turn++)
        {
            int answer = _calls.Look(Parent, _name, out UnixStatus status);
            if (answer >= 0)
            {
                answer = status.IsLink ? throw StagingErrors.IsLink()
                    : !status.IsDirectory ? throw StagingErrors.IsNoDirectory()
                    : _calls.Rename(Parent, _name, staging, content, 0);   // nothing has that name there
            }

            if (answer == -Errno.NoEntry)
            {
                return false;
            }

            bool again = answer == -Errno.AccessDenied ? turn == 0 && MakeMovable()
                : Errno.IsMoment(-answer) && _retries.TryPause(ref attempts, _name);
            if (!again)
            {
                Errno.ThrowIfFailed("remove", answer);
                return true;
            }
        }
    }

    /// <summary>Moves a directory to the target's name if that is free.</summary>
    /// <param name="staging">The handle of the directory it is in.</param>
    /// <param name="content">Its name there.</param>
    public void GiveBack(int staging, string content) => _ = _calls.Rename(staging, content, Parent, _name, LinuxFlags.NoReplace);

    /// <summary>Syncs the parent directory, which holds the target's name.</summary>
    /// <exception cref="FileCallException">It could not be synced.</exception>
    public void Sync()
    {
        int answer = _calls.Sync(Parent);
        if (answer < 0)
        {
            throw StagingErrors.NameNotSynced(Errno.Text(-answer), -answer);
        }
    }

    /// <summary>Closes the parent directory.</summary>
    public void Dispose() => _ = _calls.Close(Parent);

    private void ThrowIfTaken()
    {
        int looked = _calls.Look(Parent, _name, out UnixStatus status);
        if (looked < 0)
        {
            if (looked != -Errno.NoEntry)
            {
                throw Errno.Exception("publish", -looked);
            }

            return;
        }

        _hasEmptyDirectory = _existing == ExistingTarget.RefuseUnlessEmpty && status.IsDirectory && IsEmpty();
        if (_existing != ExistingTarget.Replace && !_hasEmptyDirectory)
        {
            throw StagingErrors.TargetExists(_existing);
        }
    }

    private bool IsEmpty()
    {
        int fd = _calls.Open(Parent, _name, LinuxFlags.ReadOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
        if (fd < 0)
        {
            throw Errno.Exception("publish", -fd);
        }

        try
        {
            return DirectoryListing.Read(_calls, fd, "publish").Count == 0;
        }
        finally
        {
            _ = _calls.Close(fd);
        }
    }

    /// <summary>
    /// Renames without replacing. The kernel itself replaces a directory by a directory only if the old one is empty.
    /// </summary>
    private int Move(int staging, string content)
    {
        int answer = Rename(staging, content, _hasEmptyDirectory ? 0 : LinuxFlags.NoReplace);
        if (answer is -Errno.Invalid or -Errno.NoCall && !_hasEmptyDirectory)
        {
            answer = MoveWithoutFlag(staging, content);
        }

        // Something else took the place of the empty directory, or the content is a file.
        return _hasEmptyDirectory && answer is -Errno.IsDirectory or -Errno.NotDirectory ? -Errno.Exists : answer;
    }

    private int Replace(int staging, string content)
    {
        int answer = 0;
        for (int i = 0; i < MostTurns; i++)
        {
            answer = Rename(staging, content, LinuxFlags.Exchange);
            if (answer == -Errno.NoEntry)
            {
                answer = Move(staging, content);
            }

            if (answer is -Errno.Invalid or -Errno.NoCall)
            {
                // For a file the plain rename replaces in one step as well; where nothing is, there is nothing to exchange.
                return IsFile(staging, content) ? Rename(staging, content, 0)
                    : _calls.Look(Parent, _name, out _) == -Errno.NoEntry ? Move(staging, content)
                    : answer;
            }

            if (answer == -Errno.AccessDenied && i == 0 && MakeMovable())
            {
                continue;
            }

            if (answer != -Errno.Exists)
            {
                return answer;
            }
        }

        return answer;
    }

    /// <summary>
    /// Moves on file systems without the flag: a file gets a second name, which never replaces anything; the plain rename of a directory
    /// never replaces a directory that is not empty.
    /// </summary>
    private int MoveWithoutFlag(int staging, string content)
    {
        if (!IsFile(staging, content))
        {
            return _calls.Look(Parent, _name, out _) >= 0 ? -Errno.Exists : Rename(staging, content, 0);
        }

        int linked = _calls.MakeHardLink(staging, content, Parent, _name);
        return linked < 0 ? linked : _calls.Remove(staging, content, isDirectory: false);
    }

    /// <summary>
    /// Gives the directory that is about to be replaced its owner's right to write, without which it cannot be moved into another.
    /// </summary>
    private bool MakeMovable()
    {
        int path = _calls.Open(Parent, _name, LinuxFlags.PathOnly | LinuxFlags.Directory | LinuxFlags.NoFollow);
        if (path < 0)
        {
            return false;
        }

        bool isDone = _calls.Look(path, string.Empty, out UnixStatus status) >= 0
            && (status.Permissions & OwnerWrite) == 0
            && _calls.SetModeOfPath(path, status.Permissions | OwnerWrite) >= 0;
        _ = _calls.Close(path);
        return isDone;
    }

    private bool IsFile(int staging, string content) =>
        _calls.Look(staging, content, out UnixStatus status) >= 0 && !status.IsDirectory;

    private int Rename(int staging, string content, int flags)
    {
        for (int attempts = 0; ;)
        {
            int answer = _calls.Rename(staging, content, Parent, _name, flags);
            if (answer >= 0 || !Errno.IsMoment(-answer) || !_retries.TryPause(ref attempts, _name))
            {
                return answer;
            }
        }
    }
}
