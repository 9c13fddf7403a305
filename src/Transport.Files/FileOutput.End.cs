using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <content>What happens when all entries are written: hard links, directories, publishing, the receipt.</content>
public sealed partial class FileOutput
{
    private readonly HardLinks _hardLinks = new();

    /// <summary>Runs once, when no job is left and none can come. Never throws: what fails stands in the receipt.</summary>
    private void Finish()
    {
        var trace = new Writer(_options.Trace, "finish");
        long from = trace.Now;
        bool isPublished = false;
        try
        {
            MakeHardLinks();
            FinishFolders();
        }
        catch (Exception failed)
        {
            _core.Fail(Failure("finish", failed));
        }

        trace.Span("links and directories", from);
        _core.Dispose();
        lock (_gate)
        {
            _isDecided = true;
        }

        try
        {
            isPublished = PublishContent(trace);
        }
        catch (Exception failed)
        {
            _core.Fail(Failure("publish", failed));
            isPublished = _publication?.IsPublished ?? false;
        }

        Receipt = NewReceipt(isPublished);
    }

    private bool PublishContent(Writer trace)
    {
        if (_publication is not { } publication)
        {
            return _core.State.First is null;
        }

        long from = trace.Now;
        using (publication)
        {
            if (_core.State.First is null)
            {
                publication.PublishContent(isSynced: true);
                trace.Span("publish", from, publication.Target);
            }
        }

        return publication.IsPublished;
    }

    private void MakeHardLinks()
    {
        foreach ((Folder parent, string name, Folder from, string fromName) in _hardLinks.InOrder())
        {
            if (_core.State.First is not null)
            {
                _core.State.Skip();
                continue;
            }

            try
            {
                _core.Tree.MakeHardLink(parent, name, from, fromName);
                _core.State.LinkDone();
            }
            catch (Exception failed)
            {
                _core.Fail(FileCallException.Failure(parent.PathOf(name), "link", failed));
            }
        }
    }

    private void FinishFolders()
    {
        if (!_finishesFolders || _core.State.First is not null)
        {
            return;
        }

        foreach (Folder folder in _core.Folders.DeepestFirst())
        {
            try
            {
                _core.Tree.FinishFolder(folder, _options.SetTimes ? folder.Modified : null, _options.Sync == FileSync.All);
            }
            catch (Exception failed)
            {
                _core.Fail(FileCallException.Failure(folder.Path, "directory", failed));
                return;
            }
        }
    }

    private FileReceipt NewReceipt(bool isPublished) => new()
    {
        Files = _core.State.Files,
        TakenOver = _core.State.TakenOver,
        Directories = _core.Tree.FoldersMade,
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
