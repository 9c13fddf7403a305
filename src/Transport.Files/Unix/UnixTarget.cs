using System;

namespace Transport.Files;

/// <summary>The name that content takes, in the directory it is in; the one place where something may be replaced.</summary>
internal sealed class UnixTarget : IDisposable
{
    private const int MostTurns = 100;
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

    /// <summary>Gets the handle of the directory it is in.</summary>
    public int Parent { get; }

    public static UnixTarget Open(UnixCalls calls, string parent, string name, ExistingTarget existing, Retries retries)
    {
        int fd = calls.Open(Libc.Here, parent, Libc.ReadOnly | Libc.Directory);
        if (fd < 0)
        {
            throw new FileCallException("staging", TransportFault.FileFailed, $"its parent directory cannot be opened: {Errno.Text(-fd)}", -fd);
        }

        var target = new UnixTarget(calls, fd, name, existing, retries);
        try
        {
            target.Look();
            return target;
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }

    /// <summary>Gives the content its name, by one rename or one exchange.</summary>
    public void Take(int staging, string content)
    {
        int answer = _existing == ExistingTarget.Replace ? Replace(staging, content) : Move(staging, content);
        if (answer == -Errno.NoEntry)
        {
            throw new FileCallException("publish", TransportFault.FileFailed, "there is no content to publish, or its parent is gone (ENOENT)", Errno.NoEntry);
        }

        if (answer == -Errno.Busy)
        {
            throw new FileCallException("publish", TransportFault.FileFailed, "the target is in use: is it a mount point? (EBUSY)", Errno.Busy);
        }

        if (answer < 0)
        {
            FileCallException plain = Errno.Exception("publish", -answer);
            throw plain.Fault == TransportFault.FileExists
                ? new FileCallException("publish", TransportFault.FileExists, "something has appeared there meanwhile", -answer, plain)
                : plain;
        }
    }

    public void Sync()
    {
        int answer = _calls.Sync(Parent);
        if (answer < 0)
        {
            throw new FileCallException("sync", TransportFault.FileFailed, $"it stands there, and may not after a power cut, because its name could not be synced: {Errno.Text(-answer)}", -answer);
        }
    }

    public void Dispose() => _ = _calls.Close(Parent);

    /// <summary>Refuses at once what could not be published in the end.</summary>
    private void Look()
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
            throw new FileCallException("publish", TransportFault.FileExists, _existing == ExistingTarget.Refuse ? "it is there already" : "it is there already, and is no empty directory");
        }
    }

    private bool IsEmpty()
    {
        int fd = _calls.Open(Parent, _name, Libc.ReadOnly | Libc.Directory | Libc.NoFollow);
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

    /// <summary>The kernel itself replaces a directory by a directory only where that is empty; anything else it replaces only where it is asked to.</summary>
    private int Move(int staging, string content)
    {
        int answer = Rename(staging, content, _hasEmptyDirectory ? 0 : Libc.NoReplace);
        if (answer is -Errno.Invalid or -Errno.NoCall && !_hasEmptyDirectory)
        {
            answer = MoveWithoutFlag(staging, content);
        }

        // Something else has come in place of the empty directory, or a file is to take it.
        return _hasEmptyDirectory && answer is -Errno.IsDirectory or -Errno.NotDirectory ? -Errno.Exists : answer;
    }

    private int Replace(int staging, string content)
    {
        int answer = 0;
        for (int i = 0; i < MostTurns; i++)
        {
            answer = Rename(staging, content, Libc.Exchange);
            if (answer == -Errno.NoEntry)
            {
                answer = Move(staging, content);
            }

            if (answer is -Errno.Invalid or -Errno.NoCall)
            {
                return IsFile(staging, content) ? Rename(staging, content, 0) : answer; // of a file the plain rename is an exchange as well
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

    /// <summary>File systems without the flag: a file gets a second name, which never replaces; a directory's plain rename never replaces what is not empty.</summary>
    private int MoveWithoutFlag(int staging, string content)
    {
        if (!IsFile(staging, content))
        {
            return _calls.Look(Parent, _name, out _) >= 0 ? -Errno.Exists : Rename(staging, content, 0);
        }

        int linked = _calls.MakeHardLink(staging, content, Parent, _name);
        return linked < 0 ? linked : _calls.Remove(staging, content, isDirectory: false);
    }

    /// <summary>A directory goes into another only where its owner may write it; the one that is to be replaced is about to be removed.</summary>
    private bool MakeMovable()
    {
        int path = _calls.Open(Parent, _name, Libc.PathOnly | Libc.Directory | Libc.NoFollow);
        if (path < 0)
        {
            return false;
        }

        bool isDone = _calls.Look(path, string.Empty, out UnixStatus status) >= 0 && (status.Permissions & 0x80) == 0 && _calls.SetModeOfPath(path, status.Permissions | 0x80) >= 0;
        _ = _calls.Close(path);
        return isDone;
    }

    private bool IsFile(int staging, string content) => _calls.Look(staging, content, out UnixStatus status) >= 0 && !status.IsDirectory;

    private int Rename(int staging, string content, int flags)
    {
        for (int tries = 0; ;)
        {
            int answer = _calls.Rename(staging, content, Parent, _name, flags);
            if (answer >= 0 || !Errno.IsMoment(-answer) || !_retries.Again(ref tries, _name))
            {
                return answer;
            }
        }
    }
}
