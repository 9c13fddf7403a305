using System;
using System.IO;
using System.Linq;

namespace Transport.Files;

/// <summary>
/// A staging by paths: Windows and macOS. Replacing a directory is two renames, with a moment between them; see <see cref="ReplacedContent"/>.
/// </summary>
internal sealed class ManagedStaging : IStaging
{
    private const int MostTries = 100;
    private readonly ManagedCalls _calls;
    private readonly string _parent, _name, _target;
    private readonly ExistingTarget _existing;
    private readonly Retries _retries;
    private readonly StagingLock _lock;
    private readonly ReplacedContent _replaced;
    private bool _hasEmptyDirectory, _isPublished;

    private ManagedStaging(ManagedCalls calls, string parent, string name, string path, ExistingTarget existing, Retries retries, StagingLock hold)
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

    public string Path { get; }

    public int Removed { get; private set; }

    public static ManagedStaging Make(ManagedCalls calls, string parent, string name, ExistingTarget existing, Retries retries)
    {
        if (!Directory.Exists(parent))
        {
            const string Missing = "its parent directory cannot be opened: no such file or directory";
            throw new FileCallException("staging", TransportFault.FileFailed, Missing);
        }

        // First, since it may bring back what a killed run had taken away from the target.
        int removed = ManagedCleaner.Run(calls, parent, name, retries);
        bool hasEmptyDirectory = CheckTarget(System.IO.Path.Combine(parent, name), existing);
        for (int i = 0; i < MostTries; i++)
        {
            // Between making and locking, a cleaner may take the staging for a dead one: then another is made.
            string path = System.IO.Path.Combine(parent, StagingName.New(name));
            Directory.CreateDirectory(path);
            if (StagingLock.TryTake(path, name, isOwn: true) is { } hold)
            {
                return new ManagedStaging(calls, parent, name, path, existing, retries, hold)
                {
                    Removed = removed,
                    _hasEmptyDirectory = hasEmptyDirectory,
                };
            }
        }

        const string Gone = "each staging was removed by somebody else as soon as it was made";
        throw new FileCallException("staging", TransportFault.FileFailed, Gone);
    }

    public OutputTree OpenTree(string? content)
    {
        CheckInPlace("directory");
        string root = content is null ? Path : System.IO.Path.Combine(Path, content);
        Directory.CreateDirectory(root);
        return new ManagedTree(_calls, root, isOwn: true, _retries);
    }

    public void Publish(string content, FileSync sync, bool isSynced)
    {
        string from = System.IO.Path.Combine(Path, content);
        CheckInPlace("publish");
        if (!ManagedCalls.IsThere(from))
        {
            throw new FileCallException("publish", TransportFault.FileFailed, "there is no content to publish, or its parent is gone");
        }

        if (!isSynced && sync != FileSync.None)
        {
            ManagedSync.Run(_calls, from, content, sync == FileSync.All);
        }

        if (_existing == ExistingTarget.Replace)
        {
            Replace(from, sync);
        }
        else if (_hasEmptyDirectory && ManagedCalls.IsDirectory(_target))
        {
            ReplaceEmpty(from);
        }
        else if (ManagedCalls.IsThere(_target))
        {
            // Looked for here, because a rename replaces an empty directory on Unix.
            throw Appeared(null);
        }
        else
        {
            Move(from);
        }

        _isPublished = true;
    }

    public void SyncName(FileSync sync)
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
            string why = $"it stands there, and may not after a power cut, because its name could not be synced: {failed.Message}";
            throw new FileCallException("sync", TransportFault.FileFailed, why, failed.HResult, failed);
        }
    }

    public Exception? Remove()
    {
        try
        {
            if (ManagedCalls.IsThere(Path))
            {
                CheckInPlace("remove");
            }

            if (_isPublished)
            {
                _replaced.Discard();
            }

            if (_replaced.IsThere)
            {
                // The staging stays too: its content is the sign that it was not published.
                return new FileCallException("remove", TransportFault.FileFailed, _replaced.Remark);
            }

            if (Platform.IsWindows)
            {
                _lock.Dispose();   // its file is in there
            }

            return ManagedCalls.Run<Exception?>("remove", Path, _retries, () =>
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

    public void Dispose() => _lock.Dispose();

    private void CheckInPlace(string operation)
    {
        if (!_lock.IsInPlace())
        {
            const string Moved = "somebody replaced or moved the staging while it was filled";
            throw new FileCallException(operation, TransportFault.FileTreeChanged, Moved);
        }
    }

    /// <summary>Refuses at once what could not be published in the end.</summary>
    /// <returns>Whether an empty directory is there, which may be taken.</returns>
    private static bool CheckTarget(string target, ExistingTarget existing)
    {
        if (!ManagedCalls.IsThere(target) || existing == ExistingTarget.Replace)
        {
            return false;
        }

        if (existing == ExistingTarget.Refuse)
        {
            throw new FileCallException("publish", TransportFault.FileExists, "it is there already");
        }

        if (!ManagedCalls.IsDirectory(target) || Directory.EnumerateFileSystemEntries(target).Any())
        {
            throw new FileCallException("publish", TransportFault.FileExists, "it is there already, and is no empty directory");
        }

        return true;
    }

    /// <summary>
    /// Replaces a file, or a link, by a file in one step, and anything else in two: what was there is put aside first, and put back if
    /// the second fails.
    /// </summary>
    private void Replace(string from, FileSync sync)
    {
        if (!ManagedCalls.IsDirectory(from) && ManagedCalls.IsThere(_target) && !ManagedCalls.IsDirectory(_target))
        {
            ManagedCalls.Run("rename", _target, _retries, () => _calls.ReplaceFile(from, _target));
            return;
        }

        // What a run that was killed meanwhile had put aside belongs to the target again before it is replaced.
        ManagedCleaner.Run(_calls, _parent, _name, _retries);
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
                // Another run has published between the two renames: its tree is replaced in turn.
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
            // Not recursive: it fails if somebody has put something in.
            Directory.Delete(_target);
        }
        catch (IOException filled) when (ManagedCalls.IsThere(_target))
        {
            throw Appeared(filled);
        }

        try
        {
            Move(from);
        }
        catch (FileCallException) when (!ManagedCalls.IsThere(_target))
        {
            Directory.CreateDirectory(_target);
            throw;
        }
    }

    private void Move(string from)
    {
        try
        {
            ManagedCalls.Run("rename", _target, _retries, () => _calls.Move(from, _target));
        }
        catch (FileCallException failed) when (ManagedCalls.IsThere(_target))
        {
            throw Appeared(failed);
        }
    }

    private static FileCallException Appeared(Exception? cause) =>
        new("publish", TransportFault.FileExists, "something has appeared there meanwhile", cause?.HResult ?? 0, cause);
}
