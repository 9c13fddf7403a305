using System;
using System.Collections.Generic;

namespace Transport.Files;

/// <summary>One file on its way: its bytes come in chunks, in order, from one caller; whichever writer is free writes what has come. One writer at a time has it.</summary>
/// <remarks>A writer never waits in here for bytes to come. So files that come slowly hold no thread, and full memory always drains.</remarks>
internal sealed class FileJob(OutputCore core, Folder parent, string name, FileEntry entry) : OutputJob
{
    private readonly object _gate = new();
    private Queue<Chunk>? _more;
    private Chunk _next;
    private bool _hasNext;
    private bool _queued;
    private bool _ended;
    private bool _done;
    private bool _failed;
    private OpenFile? _file;

    public override Folder Parent => parent;

    public override string Path => parent.PathOf(name);

    /// <summary>Takes bytes, which the writer gives back; with <paramref name="last"/> nothing comes behind them.</summary>
    public void Add(Chunk? chunk, bool last)
    {
        lock (_gate)
        {
            if (chunk is { } bytes)
            {
                if (_hasNext)
                {
                    (_more ??= new Queue<Chunk>()).Enqueue(bytes);
                }
                else
                {
                    _next = bytes;
                    _hasNext = true;
                }
            }

            _ended |= last;
            if (_queued)
            {
                return;
            }

            _queued = true;
        }

        core.Writers.Add(this);
    }

    /// <summary>Has the file be a further name of an earlier one; nothing was added then, and nothing is.</summary>
    public bool TryTakeOver(EarlierFile earlier) => core.Tree.TryTakeOver(parent, name, earlier, core.Syncs);

    public override void Run(Writer writer)
    {
        while (Next(out Chunk chunk, out bool hasChunk))
        {
            try
            {
                if (core.State.First is null)
                {
                    Step(chunk, hasChunk, writer);
                }
            }
            catch (Exception failed)
            {
                _failed = true;
                core.Fail(FileCallException.Failure(Path, "write", failed));
            }

            if (hasChunk)
            {
                FileSteps.GiveBack(core, chunk, writer);
            }

            if (writer.Freed >= OutputCore.TellAt)
            {
                core.TellFreed(writer);
            }

            if (!hasChunk)
            {
                Leave(writer);
                return;
            }
        }
    }

    /// <summary>Takes the next bytes, or the end. False: nothing is left to do now.</summary>
    private bool Next(out Chunk chunk, out bool hasChunk)
    {
        lock (_gate)
        {
            chunk = _next;
            hasChunk = _hasNext;
            if (_hasNext)
            {
                _hasNext = _more is { Count: > 0 };
                _next = _hasNext ? _more!.Dequeue() : default;
                return true;
            }

            _queued = _ended;
            return _ended;
        }
    }

    private void Step(in Chunk chunk, bool hasChunk, Writer writer)
    {
        _file ??= FileSteps.Open(core, this, parent, name, entry, entry.Length ?? -1, writer);
        if (hasChunk)
        {
            FileSteps.Write(core, this, _file, chunk.Bytes, writer);
            return;
        }

        OpenFile file = _file;
        _file = null;
        FileSteps.Finish(core, this, file, entry, writer);
        _done = true;
    }

    private void Leave(Writer writer)
    {
        if (!_done && !_failed)
        {
            core.State.Skip();
        }

        _file?.Abandon();
        _file = null;
        writer.Freed += Charge;
        core.State.End();
    }
}
