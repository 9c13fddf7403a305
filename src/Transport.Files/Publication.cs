using System;
using System.IO;

namespace Transport.Files;

/// <summary>
/// A file or tree that appears at its target whole or not at all, made by whatever writes at <see cref="ContentPath"/>.
/// <see cref="FileOutput"/> brings its own.
/// </summary>
/// <remarks>
/// The staging is <c>.NAME.RANDOM</c> beside the target, with mode 0700, and locked for the life of this process. Unlocked stagings of the
/// same target and owner are what killed runs left; they are removed at the start. For one thread at a time.
/// </remarks>
public sealed class Publication : IDisposable
{
    private readonly IStaging _staging;
    private readonly FileSync _sync;
    private bool _isOver;

    private Publication(string target, string name, IStaging staging, FileSync sync, Retries retries)
    {
        Target = target;
        Name = name;
        Retries = retries;
        _staging = staging;
        _sync = sync;
    }

    /// <summary>Gets the target's full path.</summary>
    public string Target { get; }

    /// <summary>Gets where to make the content: a free path in the staging. A file or a directory may be made there.</summary>
    public string ContentPath => Path.Combine(_staging.Path, Name);

    /// <summary>Gets a value indicating whether the content stands at its target.</summary>
    public bool IsPublished { get; private set; }

    /// <summary>Gets the number of stagings of killed runs for this target that were removed at the start.</summary>
    public int StagingsRemoved => _staging.AbandonedRemoved;

    /// <summary>Gets the paths that could not be removed at the end (the replaced content, the staging); null if nothing is left.</summary>
    public FileFailure? LeftBehind { get; private set; }

    internal string Name { get; }

    internal Retries Retries { get; }

    /// <summary>Begins a publication: checks the target, removes what killed runs left, creates a staging.</summary>
    /// <param name="target">
    /// The file or directory to appear. Its parent must exist. Links in the parent's path are followed; the target itself is not.
    /// </param>
    /// <param name="options">
    /// Only <see cref="FileOutputOptions.Existing"/>, <see cref="FileOutputOptions.Sync"/>, <see cref="FileOutputOptions.RetryFor"/> and
    /// <see cref="FileOutputOptions.OnSpan"/> count. Null for the defaults.
    /// </param>
    /// <returns>The publication.</returns>
    /// <exception cref="TransportException">As for <see cref="FileOutput.Publish"/>.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="target"/> is null.</exception>
    public static Publication Begin(string target, FileOutputOptions? options = null)
    {
        FileOutputOptions copy = (options ?? new FileOutputOptions()).CheckedCopy();
        _ = target ?? throw new ArgumentNullException(nameof(target));
        var retries = new Retries(copy.RetryFor, copy.OnSpan);
        (string path, IStaging staging) = Stage(target, copy, copy.Existing, retries, "staging");
        return new Publication(path, Path.GetFileName(path), staging, copy.Sync, retries);
    }

    /// <summary>Creates a staging beside a target.</summary>
    /// <param name="target">The target, checked by nobody yet.</param>
    /// <param name="options">Checked options: of the file system.</param>
    /// <param name="existing">What may be there already.</param>
    /// <param name="retries">Counts retries.</param>
    /// <param name="operation">What it is for, if the system's exception does not say it.</param>
    /// <returns>The target's full path, and the staging.</returns>
    /// <exception cref="TransportException">As for <see cref="Begin"/>.</exception>
    internal static (string Path, IStaging Staging) Stage(
        string target, FileOutputOptions options, ExistingTarget existing, Retries retries, string operation)
    {
        (string parent, string name) = PlaceOf(target);
        string path = Path.Combine(parent, name);
        IFileSystem files = PlatformFileSystem.For(options);
        return (path, Guarded.Run(path, operation, () => files.CreateStaging(parent, name, existing, retries)));
    }

    /// <summary>Returns the parent's full path and the name of a target.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>.</exception>
    private static (string Parent, string Name) PlaceOf(string target)
    {
        if (target.Length == 0 || target.IndexOf('\0') >= 0)
        {
            throw Refused("The target's path is empty or has a NUL in it.");
        }

        string full = Path.GetFullPath(target);
        string trimmed = full.Length > 1 ? full.TrimEnd('/', Path.DirectorySeparatorChar) : full;
        string name = Path.GetFileName(trimmed);
        if (name.Length == 0)
        {
            throw Refused($"The target '{TerminalText.Escape(target)}' has no parent in which it could appear.");
        }

        if (Utf8Names.Count(name.AsSpan()) > 255)
        {
            throw Refused($"The target's name, '{TerminalText.Escape(name.Substring(0, 60))}…', is longer than 255 bytes.");
        }

        return (Path.GetDirectoryName(trimmed)!, name);
    }

    /// <summary>Syncs the content as asked, makes it appear at the target by one rename, and removes the staging.</summary>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.FileExists"/>: the target appeared meanwhile and may not be replaced.
    /// <see cref="TransportFault.FileTreeChanged"/>: somebody changed the staging. Otherwise <see cref="TransportFault.FileFailed"/>.
    /// Nothing was published, except if <see cref="IsPublished"/> is true: then only the target's name could not be synced.
    /// </exception>
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

    /// <summary>Removes the staging. Content that was not published is lost.</summary>
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

    internal IOutputTree OpenTree(bool isTree) => _staging.OpenTree(isTree ? Name : null);

    internal void PublishContent(bool isSynced)
    {
        _staging.Publish(Name, _sync, isSynced);
        IsPublished = true;
        _staging.SyncTargetName(_sync);
    }

    private static TransportException Refused(string message) => new(TransportFault.FilePathRefused, message);
}
