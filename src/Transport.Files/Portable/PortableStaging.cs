using System;
using System.IO;
using System.Linq;
using System.Threading;

namespace Transport.Files;

/// <summary>A staging by paths.</summary>
/// <remarks>Replacing a directory takes two renames with a moment between them; see <see cref="ReplacedContent"/>.</remarks>
internal sealed class PortableStaging : IStaging
{
    private const int MostAttempts = 100;
    private readonly PortableCalls _calls;
    private readonly string _parent, _name, _target;
    private readonly ExistingTarget _existing;
    private readonly Retries _retries;
    private readonly StagingLock _lock;
    private readonly ReplacedContent _replaced;
    private bool _hasEmptyDirectory, _isPublished;

    private PortableStaging(
        PortableCalls calls, string parent, string name, string path, ExistingTarget existing, Retries retries, StagingLock hold)
    {
        Path = path;
        _calls = calls;
        _parent = parent;
        _name = name;
        _target = System.IO.Path.Combine(parent, name);
        _existing = existing;
        _retries = retries;
        _lock = hold;
        _replaced = new ReplacedContent(calls, path, name, hold.Owner, retries);
    }

    /// <inheritdoc/>
    public string Path { get; }

    /// <inheritdoc/>
    public int AbandonedRemoved { get; private set; }

    /// <inheritdoc cref="IFileSystem.CreateStaging"/>
    public static PortableStaging Create(PortableCalls calls, string parent, string name, ExistingTarget existing, Retries retries)
    {
        if (!Directory.Exists(parent))
        {
            throw StagingErrors.ParentMissing("no such file or directory");
        }

        // First, because this may move back what a killed run took away from the target.
        int removed = PortableCleaner.Run(calls, parent, name, retries);
        bool hasEmptyDirectory = CheckTarget(System.IO.Path.Combine(parent, name), existing);
        for (int i = 0; i < MostAttempts; i++)
        {
            // A cleaner may come between creating and locking, and take the staging for an abandoned one. Then another is created.
            string path = System.IO.Path.Combine(parent, StagingName.Create(name));
            Directory.CreateDirectory(path);
            if (StagingLock.TryTake(path, name, isOwn: true) is { } hold)
            {
                return new PortableStaging(calls, parent, name, path, existing, retries, hold)
                {
                    AbandonedRemoved = removed,
                    _hasEmptyDirectory = hasEmptyDirectory,
                };
            }
        }

        throw StagingErrors.RemovedAtOnce();
    }

    /// <inheritdoc/>
    public IOutputTree OpenTree(string? content)
    {
        CheckInPlace("directory");
        string root = content is null ? Path : System.IO.Path.Combine(Path, content);
        Directory.CreateDirectory(root);
        return new PortableTree(_calls, root, isOwn: true, _retries);
    }

    /// <inheritdoc/>
    public void Publish(string content, FileSync sync, bool isSynced)
    {
        string from = System.IO.Path.Combine(Path, content);
        CheckInPlace("publish");
        if (!PortableCalls.IsThere(from))
        {
            throw StagingErrors.NoContent();
        }

        if (!isSynced && sync != FileSync.None)
        {
            PortableSync.Run(_calls, from, content, sync == FileSync.All);
        }

        if (_existing == ExistingTarget.Replace)
        {
            Replace(from, sync);
        }
        else if (_hasEmptyDirectory && PortableCalls.IsDirectory(_target))
        {
            ReplaceEmpty(from);
        }
        else if (PortableCalls.IsThere(_target))
        {
            // Checked here, because on Unix a rename replaces an empty directory.
            throw StagingErrors.TargetAppeared();
        }
        else
        {
            Move(from);
        }

        _isPublished = true;
    }

    /// <inheritdoc/>
    public void SyncTargetName(FileSync sync)
    {
        if (sync != FileSync.All)
        {
            return;
        }

        try
        {
            _calls.SyncDirectory(_parent);
        }
        catch (IOException failed)
        {
            throw StagingErrors.NameNotSynced(failed.Message, failed.HResult, failed);
        }
    }

    /// <inheritdoc/>
    public bool TryTakeAway(string content)
    {
        CheckInPlace("remove");
        if (!PortableCalls.IsThere(_target))
        {
            return false;
        }

        if (!PortableCalls.IsDirectory(_target))
        {
            throw PortableCalls.IsLink(_target) ? StagingErrors.IsLink() : StagingErrors.IsNoDirectory();
        }

        PortableCalls.Run("remove", _target, _retries, () => _calls.Move(_target, System.IO.Path.Combine(Path, content)));
        return true;
    }

    /// <inheritdoc/>
    public void GiveBack(string content)
    {
        string from = System.IO.Path.Combine(Path, content);
        if (!PortableCalls.IsThere(from) || PortableCalls.IsThere(_target))
        {
            return;
        }

        try
        {
            PortableCalls.Run("remove", _target, _retries, () => _calls.Move(from, _target));
        }
        catch (FileCallException)
        {
            // It stays in the staging, and the next run for this target removes it.
        }
    }

    /// <inheritdoc/>
    public Exception? Remove(int? writers = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            if (PortableCalls.IsThere(Path))
            {
                CheckInPlace("remove");
            }

            if (_isPublished)
            {
                _replaced.Discard();
            }

            if (_replaced.IsThere)
            {
                // The staging stays too: its content shows that it was not published.
                return new FileCallException("remove", TransportFault.FileFailed, _replaced.Remark);
            }

            if (Platform.IsWindows)
            {
                _lock.Dispose();   // the lock file is in the staging
            }

            return PortableCalls.Run<Exception?>("remove", Path, _retries, () =>
            {
                _calls.DeleteTree(Path);
                return null;
            });
        }
        catch (FileCallException left)
        {
            return left;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _lock.Dispose();

    private void CheckInPlace(string operation)
    {
        if (!_lock.IsInPlace())
        {
            throw StagingErrors.StagingReplaced(operation);
        }
    }

    /// <summary>Refuses at once what could not be published in the end.</summary>
    /// <returns>Whether the target is an empty directory, which may be replaced.</returns>
    private static bool CheckTarget(string target, ExistingTarget existing)
    {
        if (!PortableCalls.IsThere(target) || existing == ExistingTarget.Replace)
        {
            return false;
        }

        bool isEmpty = PortableCalls.IsDirectory(target) && !Directory.EnumerateFileSystemEntries(target).Any();
        return existing == ExistingTarget.RefuseUnlessEmpty && isEmpty ? true : throw StagingErrors.TargetExists(existing);
    }

    /// <summary>
    /// Replaces a file or link by a file in one step, and anything else in two: the old content is moved aside first, and moved back if the
    /// second step fails.
    /// </summary>
    private void Replace(string from, FileSync sync)
    {
        if (!PortableCalls.IsDirectory(from) && PortableCalls.IsThere(_target) && !PortableCalls.IsDirectory(_target))
        {
            PortableCalls.Run("rename", _target, _retries, () => _calls.ReplaceFile(from, _target));
            return;
        }

        // If a run was killed meanwhile, the content it moved aside goes back to the target before that is replaced.
        PortableCleaner.Run(_calls, _parent, _name, _retries);
        const int MostTurns = 10;
        for (int turn = 1; ; turn++)
        {
            try
            {
                _replaced.Take(_target, sync);
                Move(from);
                return;
            }
            catch (FileCallException appeared) when (appeared.Fault == TransportFault.FileExists && turn < MostTurns)
            {
                // Another run published between the two renames: its tree is replaced in turn.
            }
            catch (Exception failed) when (failed is IOException or UnauthorizedAccessException)
            {
                _replaced.PutBack(_target);
                TransportFault fault = (failed as FileCallException)?.Fault ?? TransportFault.FileFailed;
                string rest = _replaced.IsThere ? "; " + _replaced.Remark : string.Empty;
                throw new FileCallException("publish", fault, failed.Message + rest, failed.HResult, failed);
            }
        }
    }

    private void ReplaceEmpty(string from)
    {
        try
        {
            // Not recursive: this fails if the directory is no longer empty.
            Directory.Delete(_target);
        }
        catch (IOException filled) when (PortableCalls.IsThere(_target))
        {
            throw StagingErrors.TargetAppeared(filled.HResult, filled);
        }

        try
        {
            Move(from);
        }
        catch (FileCallException) when (!PortableCalls.IsThere(_target))
        {
            Directory.CreateDirectory(_target);
            throw;
        }
    }

    private void Move(string from)
    {
        try
        {
            PortableCalls.Run("rename", _target, _retries, () => _calls.Move(from, _target));
        }
        catch (FileCallException failed) when (PortableCalls.IsThere(_target))
        {
            throw StagingErrors.TargetAppeared(failed.HResult, failed);
        }
    }
}
