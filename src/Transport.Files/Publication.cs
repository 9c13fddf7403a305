using System;
using System.IO;

namespace Transport.Files;

/// <summary>A file or tree that appears at its target whole or not at all, made by whatever writes at <see cref="ContentPath"/>. <see cref="FileOutput"/> brings its own.</summary>
/// <remarks>
/// The staging is <c>.NAME.RANDOM</c> beside the target, of mode 0700, and locked while this process lives. Stagings of the same target and owner that nobody locks
/// are what killed runs left; they are removed at the start. For one thread.
/// </remarks>
public sealed class Publication : IDisposable
{
    private readonly IStaging _staging;
    private readonly FileSync _sync;
    private bool _isOver;

    private Publication(string target, string name, IStaging staging, FileOutputOptions options, Retries retries)
    {
        Target = target;
        Name = name;
        Retries = retries;
        _staging = staging;
        _sync = options.Sync;
    }

    /// <summary>Gets the target's full path.</summary>
    public string Target { get; }

    /// <summary>Gets where to make the content: a path in the staging, free at first. A file or a directory may be made there.</summary>
    public string ContentPath => Path.Combine(_staging.Path, Name);

    /// <summary>Gets whether the content stands at its target.</summary>
    public bool IsPublished { get; private set; }

    /// <summary>Gets the stagings of earlier, killed runs for this target that were removed at the start.</summary>
    public int StagingsRemoved => _staging.Removed;

    /// <summary>Gets what could not be removed when it was over (the replaced content, the staging); null where nothing is left.</summary>
    public FileFailure? LeftBehind { get; private set; }

    internal string Name { get; }

    internal Retries Retries { get; }

    /// <summary>Begins: looks at the target, removes what killed runs left, makes a staging.</summary>
    /// <param name="target">The file or directory to appear; its parent must be there. Links in the parent's path are followed, the target itself is not.</param>
    /// <param name="options">Of these <see cref="FileOutputOptions.Existing"/>, <see cref="FileOutputOptions.Sync"/>, <see cref="FileOutputOptions.RetryFor"/> and <see cref="FileOutputOptions.Trace"/> count; null: the defaults.</param>
    /// <returns>The publication.</returns>
    /// <exception cref="TransportException">As <see cref="FileOutput.Publish"/>.</exception>
    public static Publication Begin(string target, FileOutputOptions? options = null)
    {
        FileOutputOptions copy = (options ?? new FileOutputOptions()).CheckedCopy();
        if (string.IsNullOrEmpty(target) || target.IndexOf('\0') >= 0)
        {
            throw new TransportException(TransportFault.FilePathRefused, "The target's path is empty or has a NUL in it.");
        }

        string full = Path.GetFullPath(target);
        string trimmed = full.Length > 1 ? full.TrimEnd('/', Path.DirectorySeparatorChar) : full;
        string name = Path.GetFileName(trimmed);
        if (name.Length == 0)
        {
            throw new TransportException(TransportFault.FilePathRefused, $"The target '{EntryName.Escape(target)}' has no parent in which it could appear.");
        }

        if (Utf8Names.Count(name.AsSpan()) > 255)
        {
            throw new TransportException(TransportFault.FilePathRefused, $"The target's name, '{EntryName.Escape(name.Substring(0, 60))}…', is longer than 255 bytes.");
        }

        var retries = new Retries(copy.RetryFor, copy.Trace);
        IStaging staging = Guarded.Run(trimmed, "staging", () => FileSystem.MakeStaging(Path.GetDirectoryName(trimmed)!, name, copy, retries));
        return new Publication(trimmed, name, staging, copy, retries);
    }

    /// <summary>Syncs the content as asked, makes it appear at the target by one rename, and removes the staging.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.FileExists"/>: something has appeared at the target, and replacing was not asked for; <see cref="TransportFault.FileTreeChanged"/>; <see cref="TransportFault.FileFailed"/>. Nothing was published, unless <see cref="IsPublished"/> says so: then its name alone could not be synced.</exception>
    /// <exception cref="ObjectDisposedException">It was published or disposed before.</exception>
    public void Publish()
    {
        if (_isOver)
        {
            throw new ObjectDisposedException(nameof(Publication), "It was published or disposed before.");
        }

        _ = Guarded.Run(Target, "publish", () =>
        {
            PublishContent(isSynced: false);
            return true;
        });
        Dispose();
    }

    /// <summary>Removes the staging; what was not published is gone.</summary>
    public void Dispose()
    {
        if (_isOver)
        {
            return;
        }

        _isOver = true;
        if (_staging.Remove() is { } left)
        {
            LeftBehind = FileCallException.Failure(_staging.Path, "remove", left);
        }

        _staging.Dispose();
    }

    internal OutputTree OpenTree(bool isTree) => _staging.OpenTree(isTree ? Name : null);

    internal void PublishContent(bool isSynced)
    {
        _staging.Publish(Name, _sync, isSynced);
        IsPublished = true;
        _staging.SyncName(_sync);
    }
}
