using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Files;

/// <summary>The end of an output, after its last job: hard links, directories, publishing, the receipt.</summary>
/// <remarks>The lock decides between a cancellation and the publishing: whichever takes it first wins.</remarks>
internal sealed class OutputCompletion
{
    private readonly object _gate = new();
    private readonly long _started = Stopwatch.GetTimestamp();
    private readonly OutputCore _core;
    private readonly HardLinks _hardLinks;
    private readonly Publication? _publication;
    private readonly Retries _retries;
    private readonly FileOutputOptions _options;
    private readonly bool _completesDirectories;
    private bool _isDecided;

    /// <summary>Initializes a new instance of the <see cref="OutputCompletion"/> class.</summary>
    /// <param name="core">The output.</param>
    /// <param name="hardLinks">The hard links to create.</param>
    /// <param name="publication">What is published; null for an output into an existing directory.</param>
    /// <param name="retries">Counted the retries.</param>
    /// <param name="options">The options.</param>
    /// <param name="completesDirectories">Whether directories get their modes and times; not for a single file.</param>
    public OutputCompletion(
        OutputCore core,
        HardLinks hardLinks,
        Publication? publication,
        Retries retries,
        FileOutputOptions options,
        bool completesDirectories)
    {
        _core = core;
        _hardLinks = hardLinks;
        _publication = publication;
        _retries = retries;
        _options = options;
        _completesDirectories = completesDirectories;
    }

    /// <summary>Fails the output unless its publishing has begun.</summary>
    /// <param name="cancellationToken">The token that was cancelled.</param>
    public void Cancel(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (!_isDecided)
            {
                Fail("complete", new OperationCanceledException(cancellationToken));
            }
        }
    }

    /// <summary>Fails the output.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="cause">The reason.</param>
    public void Fail(string operation, Exception cause) =>
        _core.Fail(FileCallException.Failure(_publication?.Target ?? ".", operation, cause));

    /// <summary>Completes the output. Runs once, after the last job. Never throws: failures are in the receipt.</summary>
    /// <returns>What was done.</returns>
    public FileReceipt Run()
    {
        var spans = new SpanReports(_options.OnSpan, "finish");
        long from = spans.Now;
        try
        {
            CreateHardLinks();
            CompleteDirectories();
        }
        catch (Exception failed)
        {
            Fail("finish", failed);
        }

        spans.Span("links and directories", from);
        _core.Dispose();
        lock (_gate)
        {
            _isDecided = true;
        }

        bool isPublished;
        try
        {
            isPublished = Publish(spans);
        }
        catch (Exception failed)
        {
            Fail("publish", failed);
            isPublished = _publication?.IsPublished ?? false;
        }

        return CreateReceipt(isPublished);
    }

    private bool Publish(SpanReports spans)
    {
        if (_publication is not { } publication)
        {
            return _core.State.First is null;
        }

        long from = spans.Now;
        using (publication)
        {
            if (_core.State.First is null)
            {
                publication.PublishContent(isSynced: true);
                spans.Span("publish", from, publication.Target);
            }
        }

        return publication.IsPublished;
    }

    private void CreateHardLinks()
    {
        foreach ((Folder parent, string name, Folder from, string fromName) in _hardLinks.InOrder())
        {
            if (_core.State.First is not null)
            {
                _core.State.AddSkipped();
                continue;
            }

            try
            {
                _core.Tree.CreateHardLink(parent, name, from, fromName);
                _core.State.AddLink();
            }
            catch (Exception failed)
            {
                _core.Fail(FileCallException.Failure(parent.PathOf(name), "link", failed));
            }
        }
    }

    private void CompleteDirectories()
    {
        if (!_completesDirectories || _core.State.First is not null)
        {
            return;
        }

        foreach (Folder folder in _core.Folders.DeepestFirst())
        {
            try
            {
                _core.Tree.CompleteDirectory(folder, _core.SetsTimes ? folder.Modified : null, _options.Sync == FileSync.All);
            }
            catch (Exception failed)
            {
                _core.Fail(FileCallException.Failure(folder.Path, "directory", failed));
                return;
            }
        }
    }

    private FileReceipt CreateReceipt(bool isPublished) => new()
    {
        Files = _core.State.Files,
        Reused = _core.State.Reused,
        Directories = _core.Tree.DirectoriesCreated,
        Links = _core.State.Links,
        Bytes = _core.State.Bytes,
        Failures = _core.State.Failures,
        Skipped = _core.State.Skipped,
        Retries = _retries.Count,
        RetryTime = _retries.Waited,
        Elapsed = TimeSpan.FromSeconds((Stopwatch.GetTimestamp() - _started) / (double)Stopwatch.Frequency),
        IsPublished = isPublished,
        StagingsRemoved = _publication?.StagingsRemoved ?? 0,
        LeftBehind = _publication?.LeftBehind,
    };
}
