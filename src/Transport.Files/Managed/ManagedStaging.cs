using System;
using System.IO;
using System.Linq;
using Transport.Files.Publishing;
using Transport.Files.Trees;
using Transport.Files.Writing;

namespace Transport.Files.Managed;

/// <summary>A staging by paths: Windows and macOS. Held by a file that is open without sharing and goes with its handle; replacing is two renames, with a moment between them.</summary>
internal sealed class ManagedStaging : IStaging
{
    private const string LockName = ".lock";
    private readonly string _target;
    private readonly ExistingTarget _existing;
    private readonly Retries _retries;
    private readonly FileStream _lock;

    private ManagedStaging(string path, string target, ExistingTarget existing, Retries retries, FileStream hold, int removed)
    {
        Path = path;
        Removed = removed;
        _target = target;
        _existing = existing;
        _retries = retries;
        _lock = hold;
    }

    public string Path { get; }

    public int Removed { get; }

    public static ManagedStaging Make(string parent, string name, ExistingTarget existing, Retries retries)
    {
        string target = System.IO.Path.Combine(parent, name);
        if (!Directory.Exists(parent))
        {
            throw new FileCallException("staging", TransportFault.FileFailed, "its parent is not there");
        }

        CheckTarget(target, existing);
        int removed = Directory.GetDirectories(parent, StagingName.Prefix(name) + "*").Count(d => StagingName.Fits(System.IO.Path.GetFileName(d), name) && TryRemoveDead(d));
        string path = System.IO.Path.Combine(parent, StagingName.New(name));
        Directory.CreateDirectory(path);
        return new ManagedStaging(path, target, existing, retries, Hold(path), removed);
    }

    public OutputTree OpenTree(string? content)
    {
        string root = content is null ? Path : System.IO.Path.Combine(Path, content);
        Directory.CreateDirectory(root);
        return new ManagedTree(root, isOwn: true, _retries);
    }

    public void Publish(string content, FileSync sync, bool isSynced)
    {
        string from = System.IO.Path.Combine(Path, content);
        CheckTarget(_target, _existing);
        if (_existing != ExistingTarget.Refuse && IsThere(_target))
        {
            Move(_target, System.IO.Path.Combine(Path, ".old"));
        }

        Move(from, _target);
    }

    public void SyncName(FileSync sync)
    {
        // .NET has no call for it.
    }

    public Exception? Remove()
    {
        _lock.Dispose();
        try
        {
            return ManagedCalls.Run<Exception?>("remove", Path, _retries, () =>
            {
                Directory.Delete(Path, true);
                return null;
            });
        }
        catch (FileCallException left)
        {
            return left;
        }
    }

    public void Dispose() => _lock.Dispose();

    private static FileStream Hold(string path) => new(System.IO.Path.Combine(path, LockName), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, 1, FileOptions.DeleteOnClose);

    private static bool IsThere(string path) => File.Exists(path) || Directory.Exists(path);

    private static bool TryRemoveDead(string path)
    {
        try
        {
            Hold(path).Dispose();
            Directory.Delete(path, true);
            return true;
        }
        catch (Exception held) when (held is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static void CheckTarget(string target, ExistingTarget existing)
    {
        bool isEmpty = Directory.Exists(target) && !Directory.EnumerateFileSystemEntries(target).Any();
        if (IsThere(target) && existing != ExistingTarget.Replace && !(existing == ExistingTarget.RefuseUnlessEmpty && isEmpty))
        {
            throw new FileCallException("publish", TransportFault.FileExists, existing == ExistingTarget.Refuse ? "it is there already" : "it is there already and no empty directory");
        }
    }

    private void Move(string from, string to) => ManagedCalls.Run("rename", to, _retries, () =>
    {
        if (Directory.Exists(from))
        {
            Directory.Move(from, to);
        }
        else
        {
            File.Move(from, to);
        }

        return true;
    });
}
