using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>
/// Writes many files by a bounded pool of threads, off the caller's path. With <see cref="Publish"/> the tree appears at its target whole
/// or not at all.
/// </summary>
/// <remarks>
/// Paths are relative, with '/' between names; a byte that is not UTF-8 is U+DC00 + byte (PEP 383). Parents are created as needed
/// (0755) and opened one by one without following links. Files are created exclusively, relative to the handle of their directory, with
/// their mode. So nothing is written outside of the tree, whatever somebody else puts into it meanwhile.
/// The first failure is the output's error: nothing new begins, every later call and <see cref="CompleteAsync"/> throw it, and nothing is
/// published. Members may be called from any thread; entries of one path by one thread.
/// </remarks>
public sealed class FileOutput : IAsyncDisposable
{
    private readonly object _gate = new();
    private readonly HashSet<OutputFile> _openFiles = [];
    private readonly OutputCore _core;
    private readonly EntryIntake _intake;
    private readonly OutputCompletion _completion;
    private readonly IEarlierTree? _earlier;
    private readonly Retries _retries;

    private FileOutput(
        IFileSystem files,
        IOutputTree tree,
        FileOutputOptions options,
        FileIoChoice io,
        Retries retries,
        Publication? publication = null,
        bool isTree = true)
    {
        _retries = retries;
        _core = new OutputCore(tree, options, io);
        bool hasEarlier = options.Baseline is { } directory && directory.IndexOf('\0') < 0;
        _earlier = hasEarlier ? files.TryOpenEarlier(options.Baseline!) : null;
        _intake = new EntryIntake(_core, _earlier);
        _completion = new OutputCompletion(_core, _intake.HardLinks, publication, retries, options, completesDirectories: isTree);
    }

    /// <summary>Gets how far the output is, from any thread at any time.</summary>
    public FileProgress Progress => new()
    {
        Files = _core.State.Files,
        Bytes = _core.State.Bytes,
        QueuedBytes = _core.Budget.Used,
        QueuedFiles = _core.State.UnderWay,
        Current = _core.State.Current?.Path ?? string.Empty,
        Retries = _retries.Count,
    };

    /// <summary>Gets the receipt, after <see cref="CompleteAsync"/> has returned or thrown; null before.</summary>
    public FileReceipt? Receipt { get; private set; }

    internal MemoryBudget Budget => _core.Budget;

    /// <summary>
    /// Begins an output into an existing directory. Each file is created exclusively; what was written stays if something fails.
    /// </summary>
    /// <param name="directory">The directory. Links in its own path are followed.</param>
    /// <param name="options">Limits and choices; null for the defaults.</param>
    /// <returns>The output.</returns>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.FilePathRefused"/>: the path is empty or has a NUL in it;
    /// <see cref="TransportFault.FileFailed"/>: the directory cannot be opened; <see cref="TransportFault.BadConfiguration"/>:
    /// <c>TRANSPORT_FILE_IO</c> is another word.
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    public static FileOutput Into(string directory, FileOutputOptions? options = null)
    {
        _ = directory ?? throw new ArgumentNullException(nameof(directory));
        FileOutputOptions copy = CheckedCopy(options, out FileIoChoice io);
        if (directory.Length == 0 || directory.IndexOf('\0') >= 0)
        {
            throw new TransportException(TransportFault.FilePathRefused, "The directory's path is empty or has a NUL in it.");
        }

        IFileSystem files = PlatformFileSystem.For(copy);
        var retries = new Retries(copy.RetryFor, copy.OnSpan);
        IOutputTree tree = Guarded.Run(directory, "open", () => files.OpenTree(directory, retries));
        return new FileOutput(files, tree, copy, io, retries);
    }

    /// <summary>
    /// Begins a tree that <see cref="CompleteAsync"/> publishes. Until then it grows in a staging beside the target, which nobody else can
    /// enter.
    /// </summary>
    /// <param name="target">The directory to appear; its parent must exist.</param>
    /// <param name="options">Limits and choices; null for the defaults.</param>
    /// <returns>The output.</returns>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.FileExists"/>: the target exists, and
    /// <see cref="FileOutputOptions.Existing"/> does not allow that. <see cref="TransportFault.FilePathRefused"/>: the target's path is
    /// empty, or its name is longer than 255 bytes, has a NUL in it or no parent. <see cref="TransportFault.FileFailed"/> and
    /// <see cref="TransportFault.FileDiskFull"/>: no staging could be created. <see cref="TransportFault.BadConfiguration"/>:
    /// <c>TRANSPORT_FILE_IO</c> is another word.
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="target"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    public static FileOutput Publish(string target, FileOutputOptions? options = null) => Begin(target, options, isTree: true, out _);

    /// <summary>Publishes one file: it appears at its target whole or not at all.</summary>
    /// <param name="target">The file to appear; its parent must exist.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="entry">Mode and time.</param>
    /// <param name="options">Limits and choices; null for the defaults.</param>
    /// <param name="cancellationToken">If it is cancelled before the file is published, nothing is published.</param>
    /// <returns>What was done.</returns>
    /// <exception cref="TransportException">As for <see cref="Publish"/> and <see cref="CompleteAsync"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static Task<FileReceipt> PublishFileAsync(
        string target,
        ReadOnlyMemory<byte> bytes,
        FileEntry entry = default,
        FileOutputOptions? options = null,
        CancellationToken cancellationToken = default) =>
        PublishFileAsync(target, (output, name) => output.WriteAsync(name, bytes, entry, cancellationToken), options, cancellationToken);

    /// <summary>Publishes one file whose bytes come from a stream: it appears at its target whole or not at all.</summary>
    /// <param name="target">The file to appear; its parent must exist.</param>
    /// <param name="source">The stream, read from its position on; not disposed.</param>
    /// <param name="entry">Mode, time, and the expected length.</param>
    /// <param name="options">Limits and choices; null for the defaults.</param>
    /// <param name="cancellationToken">If it is cancelled before the file is published, nothing is published.</param>
    /// <returns>What was done.</returns>
    /// <exception cref="TransportException">As for <see cref="Publish"/> and <see cref="CompleteAsync"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    /// <exception cref="Exception">An exception of the stream comes back as it is; nothing is published.</exception>
    public static Task<FileReceipt> PublishFileAsync(
        string target,
        Stream source,
        FileEntry entry = default,
        FileOutputOptions? options = null,
        CancellationToken cancellationToken = default) =>
        source is null ? throw new ArgumentNullException(nameof(source)) : PublishFileAsync(
            target, (output, name) => output.WriteAsync(name, source, entry, cancellationToken), options, cancellationToken);

    /// <summary>Removes a directory with everything in it: first its name, in one step, then by several threads what is in it.</summary>
    /// <param name="directory">The directory. Links in its own path are followed.</param>
    /// <param name="options">
    /// Only <see cref="FileOutputOptions.Writers"/>, <see cref="FileOutputOptions.RetryFor"/> and <see cref="FileOutputOptions.OnSpan"/>
    /// count. Null for the defaults.
    /// </param>
    /// <param name="cancellationToken">If it is cancelled, what is not removed yet gets its name back.</param>
    /// <returns>Whether there was such a directory, or what a killed removal had left of it. It is gone.</returns>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.FilePathRefused"/>: it is a symbolic link or no directory, or its path is empty, has a NUL in it or no
    /// parent; nothing was removed. <see cref="TransportFault.FileFailed"/>: something could not be removed, or something is mounted in
    /// it; what is left has its name again, if nothing else has it by now.
    /// </exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="directory"/> is null.</exception>
    /// <exception cref="ArgumentException">An option cannot be used; the message names every one.</exception>
    /// <remarks>Links in the tree are removed, and never followed. If this process is killed, the rest stands in a staging beside it,
    /// which the next removal or publication of that name removes.</remarks>
    public static Task<bool> RemoveTreeAsync(
        string directory, FileOutputOptions? options = null, CancellationToken cancellationToken = default)
    {
        _ = directory ?? throw new ArgumentNullException(nameof(directory));
        FileOutputOptions copy = CheckedCopy(options, out _);
        return Threads.RunAsync(() => TreeRemoval.Run(directory, copy, cancellationToken));
    }

    /// <summary>Writes a file that is in memory.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="bytes">
    /// Its bytes; the caller's again when the task has completed. Up to 256 KiB are copied, more are written from where they are.
    /// </param>
    /// <param name="entry">Mode and time; <see cref="FileEntry.Length"/> is ignored.</param>
    /// <param name="cancellationToken">Ends a wait for memory.</param>
    /// <returns>A task that completes when the bytes are taken (up to 256 KiB; most often at once) or written.</returns>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.FilePathRefused"/>: this path; the output goes on. Otherwise the first failure of the output.
    /// </exception>
    /// <exception cref="OperationCanceledException">Cancelled while waiting for memory: the file was not taken.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The nanoseconds of a time are out of range.</exception>
    public ValueTask WriteAsync(
        string path, ReadOnlyMemory<byte> bytes, FileEntry entry = default, CancellationToken cancellationToken = default) =>
        _intake.WriteAsync(path, bytes, entry, WaitMode.Async(cancellationToken));

    /// <summary>Writes a file that is in memory, and blocks the caller's thread while it must wait.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="bytes">Its bytes; the caller's again when this returns.</param>
    /// <param name="entry">Mode and time.</param>
    /// <exception cref="TransportException">
    /// As for <see cref="WriteAsync(string, ReadOnlyMemory{byte}, FileEntry, CancellationToken)"/>.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The nanoseconds of a time are out of range.</exception>
    public void Write(string path, ReadOnlyMemory<byte> bytes, FileEntry entry = default) =>
        WaitMode.Block(_intake.WriteAsync(path, bytes, entry, WaitMode.Blocking));

    /// <summary>Writes a file whose bytes come from a stream. The caller reads the stream to its end while writers write.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="source">The stream, read from its position on; not disposed.</param>
    /// <param name="entry">Mode, time, and the expected length.</param>
    /// <param name="cancellationToken">Ends waits and reads; the output fails then, because half a file was taken.</param>
    /// <returns>A task that completes when the stream is read to its end.</returns>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.FilePathRefused"/>: this path, nothing was read; the output goes on.
    /// <see cref="TransportFault.FileSourceFailed"/>: the length is not the expected one. Otherwise the first failure of the output.
    /// </exception>
    /// <exception cref="Exception">
    /// An exception of the stream comes back as it is; the output has failed with <see cref="TransportFault.FileSourceFailed"/>.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A length or the nanoseconds of a time are out of range.</exception>
    public ValueTask WriteAsync(string path, Stream source, FileEntry entry = default, CancellationToken cancellationToken = default) =>
        _intake.WriteAsync(path, source, entry, WaitMode.Async(cancellationToken));

    /// <summary>
    /// Writes a file whose bytes come from a stream, read with <see cref="Stream.Read(byte[], int, int)"/> on the caller's thread.
    /// </summary>
    /// <remarks>Faster than the asynchronous form for sources other than a network.</remarks>
    /// <param name="path">Its path.</param>
    /// <param name="source">The stream, read from its position on; not disposed.</param>
    /// <param name="entry">Mode, time, and the expected length.</param>
    /// <exception cref="TransportException">
    /// As for <see cref="WriteAsync(string, Stream, FileEntry, CancellationToken)"/>.
    /// </exception>
    /// <exception cref="Exception">An exception of the stream comes back as it is.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A length or the nanoseconds of a time are out of range.</exception>
    public void Write(string path, Stream source, FileEntry entry = default) =>
        WaitMode.Block(_intake.WriteAsync(path, source, entry, WaitMode.Blocking));

    /// <summary>Begins a file whose bytes come piece by piece.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="entry">Mode, time, and the expected length.</param>
    /// <returns>The file; complete or dispose it.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>, or the first failure of the output.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A length or the nanoseconds of a time are out of range.</exception>
    public OutputFile Open(string path, FileEntry entry = default)
    {
        FileFeed feed = _intake.Open(path, entry);
        var file = new OutputFile(feed, path, _intake.FindEarlier(path, entry, feed), Forget);
        lock (_gate)
        {
            _openFiles.Add(file);
        }

        return file;
    }

    /// <summary>Creates a directory if it is missing. It gets its mode and time after its last entry.</summary>
    /// <remarks>
    /// If it is named twice, the last entry counts; "." is the tree itself. Blocks the caller's thread while the memory budget is used up.
    /// </remarks>
    /// <param name="path">Its path; a '/' at the end is allowed.</param>
    /// <param name="entry">Mode (0777 if none is given) and time.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>, or the first failure of the output.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The nanoseconds of a time are out of range.</exception>
    public void CreateDirectory(string path, FileEntry entry = default) => _intake.CreateDirectory(path, entry);

    /// <summary>Creates a symbolic link.</summary>
    /// <remarks>
    /// Its target is stored as given: nothing is ever written through the link, and a path that goes through it is refused. Blocks the
    /// caller's thread while the memory budget is used up.
    /// </remarks>
    /// <param name="path">The link's path.</param>
    /// <param name="target">The text it holds; 1 to 4,095 bytes, no NUL.</param>
    /// <param name="modified">The link's own time, or null.</param>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.FilePathRefused"/>, <see cref="TransportFault.FileExists"/>: a directory of this output has that path, or
    /// the first failure of the output.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The nanoseconds of a time are out of range.</exception>
    public void CreateSymbolicLink(string path, string target, FileTime? modified = null) =>
        _intake.CreateSymbolicLink(path, target, modified);

    /// <summary>Creates a further name of a file or symbolic link of this output, after all files are written.</summary>
    /// <param name="path">The new name's path.</param>
    /// <param name="existing">
    /// The path of an entry of this output, relative to its root. Its directory must have been named by now, itself or by an entry in it;
    /// the entry may come later. If it never comes, the output fails.
    /// </param>
    /// <exception cref="TransportException">
    /// <see cref="TransportFault.FilePathRefused"/>: a path, or no entry is in the directory that <paramref name="existing"/> names.
    /// Otherwise the first failure of the output.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    public void CreateHardLink(string path, string existing) => _intake.CreateHardLink(path, existing);

    /// <summary>Waits for all writers, creates hard links, sets directories' modes and times, syncs as asked, and publishes.</summary>
    /// <param name="cancellationToken">
    /// If it is cancelled before the result is published, the output ends and nothing is published. Later (while replaced content is being
    /// removed) it changes nothing.
    /// </param>
    /// <returns>What was done.</returns>
    /// <exception cref="TransportException">
    /// The first failure: its fault, path and reason. <see cref="Receipt"/> has all failures. Nothing was published, and the staging is
    /// gone; except if <see cref="FileReceipt.IsPublished"/> is true: then only the target's name could not be synced.
    /// </exception>
    /// <exception cref="OperationCanceledException">Cancelled; nothing was published.</exception>
    /// <exception cref="InvalidOperationException">It was called before.</exception>
    public async ValueTask<FileReceipt> CompleteAsync(CancellationToken cancellationToken = default)
    {
        if (!_core.State.TryClose())
        {
            throw new InvalidOperationException("The output is completed or disposed already.");
        }

        using (cancellationToken.Register(() => _completion.Cancel(cancellationToken)))
        {
            const string Unfinished = "The output was completed before all bytes of the file had come";
            await EndAsync(new TransportException(TransportFault.FileSourceFailed, Unfinished)).ConfigureAwait(false);
        }

        if (_core.State.First is { } first)
        {
            throw first.Cause is OperationCanceledException ? new OperationCanceledException(cancellationToken) : first.ToException();
        }

        return Receipt!;
    }

    /// <summary>
    /// Gives up what is not complete: nothing is published, the staging is removed, and no writer runs any more when the task completes.
    /// </summary>
    /// <returns>A task that completes when nothing of the output is left.</returns>
    public async ValueTask DisposeAsync()
    {
        if (_core.State.TryClose())
        {
            _completion.Fail("complete", new OperationCanceledException("The output was given up before it was complete"));
            await EndAsync(new OperationCanceledException("The output was given up")).ConfigureAwait(false);
        }
    }

    private static async Task<FileReceipt> PublishFileAsync(
        string target, Func<FileOutput, string, ValueTask> write, FileOutputOptions? options, CancellationToken cancellationToken)
    {
        FileOutput output = Begin(target, options, isTree: false, out string name);
        await using (output.ConfigureAwait(false))
        {
            await write(output, name).ConfigureAwait(false);
            return await output.CompleteAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private static FileOutput Begin(string target, FileOutputOptions? options, bool isTree, out string name)
    {
        FileOutputOptions copy = CheckedCopy(options, out FileIoChoice io);
        var publication = Publication.Begin(target, copy);
        name = publication.Name;
        try
        {
            IOutputTree tree = Guarded.Run(target, "directory", () => publication.OpenTree(isTree));
            return new FileOutput(PlatformFileSystem.For(copy), tree, copy, io, publication.Retries, publication, isTree);
        }
        catch
        {
            publication.Dispose();
            throw;
        }
    }

    private static FileOutputOptions CheckedCopy(FileOutputOptions? options, out FileIoChoice io)
    {
        FileOutputOptions copy = (options ?? new FileOutputOptions()).CheckedCopy();
        io = new FileIoChoice(copy.Io, Environment.GetEnvironmentVariable(FileIoChoice.Variable), Platform.IsWindows);
        return copy;
    }

    private void Forget(OutputFile file)
    {
        lock (_gate)
        {
            _openFiles.Remove(file);
        }
    }

    /// <summary>Ends a closed output: breaks open files, waits for the writers, and completes.</summary>
    private async Task EndAsync(Exception unfinished)
    {
        OutputFile[] open;
        lock (_gate)
        {
            _openFiles.CopyTo(open = new OutputFile[_openFiles.Count]);
        }

        foreach (OutputFile file in open)
        {
            file.Abort(unfinished);
        }

        await _core.State.WaitIdleAsync().ConfigureAwait(false);
        Receipt = await Threads.RunAsync(_completion.Run).ConfigureAwait(false);
        _earlier?.Dispose();
    }
}
