using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>Writes many files by a bounded pool of threads, off the caller's path. With <see cref="Publish"/> the tree appears at its target whole, or not at all.</summary>
/// <remarks>
/// Paths are relative, with '/' between names; see <see cref="EntryName"/> for names that are not UTF-8. Parents are made as needed (0755) and opened one by one without following
/// links; files are made exclusively, relative to the handle of their directory, with their mode. So whatever somebody else puts into the tree meanwhile, nothing is written outside.
/// The first failure is the output's error: nothing new is begun, every later call throws it, <see cref="CompleteAsync"/> throws it, and nothing is published.
/// Members may be called from any thread, entries of one path by one.
/// </remarks>
public sealed partial class FileOutput : IAsyncDisposable
{
    private readonly HashSet<OutputFile> _openFiles = [];
    private readonly OutputCore _core;
    private readonly FileOutputOptions _options;
    private readonly Publication? _publication;
    private readonly Retries _retries;
    private readonly long _started = Stopwatch.GetTimestamp();
    private readonly object _gate = new();
    private int _closed;
    private bool _finishesFolders = true, _isDecided;

    private FileOutput(OutputTree tree, Publication? publication, Retries retries, FileOutputOptions options, FileIoChoice io)
    {
        _publication = publication;
        _retries = retries;
        _options = options;
        _core = new OutputCore(tree, options, io);
    }

    /// <summary>Gets how far the output is. From any thread, at any time.</summary>
    public FileProgress Progress => new(
        _core.State.Files, _core.State.Bytes, _core.Budget.Used, _core.State.UnderWay, _core.State.Current?.Path ?? string.Empty, _retries.Count);

    /// <summary>Gets what was done, once <see cref="CompleteAsync"/> has returned or thrown; null before.</summary>
    public FileReceipt? Receipt { get; private set; }

    internal MemoryBudget Budget => _core.Budget;

    /// <summary>Begins an output into a directory that is there. Each file is made exclusively; what was written stays when something fails.</summary>
    /// <param name="directory">The directory; links in its own path are followed.</param>
    /// <param name="options">Limits and wishes; null: the defaults.</param>
    /// <returns>The output.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>; <see cref="TransportFault.FilePathRefused"/>: the path is null, empty or has a NUL in it; <see cref="TransportFault.FileFailed"/>: the directory cannot be opened.</exception>
    public static FileOutput Into(string directory, FileOutputOptions? options = null)
    {
        (FileOutputOptions copy, FileIoChoice io) = Checked(options);
        if (string.IsNullOrEmpty(directory) || directory.IndexOf('\0') >= 0)
        {
            throw new TransportException(TransportFault.FilePathRefused, "The directory's path is empty or has a NUL in it.");
        }

        var retries = new Retries(copy.RetryFor, copy.Trace);
        return Guarded.Run(directory, "open", () => new FileOutput(FileSystem.OpenTree(directory, copy, retries), null, retries, copy, io));
    }

    /// <summary>Begins a tree that <see cref="CompleteAsync"/> publishes: until then it grows in a staging beside the target, which nobody else can enter.</summary>
    /// <param name="target">The directory to appear; its parent must be there.</param>
    /// <param name="options">Limits and wishes; null: the defaults.</param>
    /// <returns>The output.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.BadOptions"/>; <see cref="TransportFault.FileExists"/>: the target is there, and <see cref="FileOutputOptions.Existing"/> does not allow that; <see cref="TransportFault.FilePathRefused"/>: the target's path is null or empty, or its name is longer than 255 bytes, has a NUL in it or no parent; <see cref="TransportFault.FileFailed"/> and <see cref="TransportFault.FileDiskFull"/>: no staging could be made.</exception>
    public static FileOutput Publish(string target, FileOutputOptions? options = null) => Begin(target, options, isTree: true);

    /// <summary>Waits for all writers, makes hard links, gives directories their modes and times, syncs as asked, and publishes.</summary>
    /// <param name="cancellation">Cancelled before the result is published, it ends the output: nothing is published then. Cancelled later (while what was replaced is being removed), it changes nothing.</param>
    /// <returns>What was done.</returns>
    /// <exception cref="TransportException">With the first failure: its fault, path and reason. All failures stand in <see cref="Receipt"/>. Nothing was published, and the staging is gone; only where <see cref="FileReceipt.IsPublished"/> says so, the result stands at its target, and its name alone could not be synced.</exception>
    /// <exception cref="OperationCanceledException">Cancelled; likewise.</exception>
    /// <exception cref="InvalidOperationException">It was called before.</exception>
    public async ValueTask<FileReceipt> CompleteAsync(CancellationToken cancellation = default)
    {
        if (Interlocked.Exchange(ref _closed, 1) != 0)
        {
            throw new InvalidOperationException("The output is completed or disposed already.");
        }

        using (cancellation.Register(() => Cancel(cancellation)))
        {
            await DrainAsync(new TransportException(TransportFault.FileSourceFailed, "The output was completed before all bytes of the file had come")).ConfigureAwait(false);
            await Task.Run(Finish, CancellationToken.None).ConfigureAwait(false);
        }

        if (_core.State.First is { } first)
        {
            throw first.Cause is OperationCanceledException ? new OperationCanceledException(cancellation) : OutputState.Error(first);
        }

        return Receipt!;
    }

    /// <summary>Gives up what is not complete: nothing is published, the staging is removed, and no writer runs any more when the task ends.</summary>
    /// <returns>A task that ends when nothing of it is left.</returns>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _closed, 1) == 0)
        {
            _core.Fail(Failure("complete", new OperationCanceledException("The output was given up before it was complete")));
            await DrainAsync(new OperationCanceledException("The output was given up")).ConfigureAwait(false);
            await Task.Run(Finish).ConfigureAwait(false);
        }
    }

    internal void Left(OutputFile file)
    {
        lock (_openFiles)
        {
            _openFiles.Remove(file);
        }
    }

    private static FileOutput Begin(string target, FileOutputOptions? options, bool isTree)
    {
        (FileOutputOptions copy, FileIoChoice io) = Checked(options);
        var publication = Publication.Begin(target, copy);
        try
        {
            OutputTree tree = Guarded.Run(target, "directory", () => publication.OpenTree(isTree));
            return new FileOutput(tree, publication, publication.Retries, copy, io) { _finishesFolders = isTree };
        }
        catch
        {
            publication.Dispose();
            throw;
        }
    }

    private static (FileOutputOptions Options, FileIoChoice Io) Checked(FileOutputOptions? options)
    {
        FileOutputOptions copy = (options ?? new FileOutputOptions()).CheckedCopy();
        return (copy, new FileIoChoice(copy.Io, Environment.GetEnvironmentVariable(FileIoChoice.Variable), Platform.IsWindows));
    }

    /// <summary>Ends the output, unless it is being published.</summary>
    private void Cancel(CancellationToken cancellation)
    {
        lock (_gate)
        {
            if (!_isDecided)
            {
                _core.Fail(Failure("complete", new OperationCanceledException(cancellation)));
            }
        }
    }

    private FileFailure Failure(string operation, Exception cause) =>
        FileCallException.Failure(_publication?.Target ?? ".", operation, cause);

    private async Task DrainAsync(Exception unfinished)
    {
        OutputFile[] open;
        lock (_openFiles)
        {
            open = [.. _openFiles];
        }

        foreach (OutputFile file in open)
        {
            file.Break(unfinished);
        }

        await _core.State.CloseAsync().ConfigureAwait(false);
    }
}
