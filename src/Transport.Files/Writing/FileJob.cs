using System;
using System.Collections.Generic;

namespace Transport.Files;

/// <summary>
/// One file to write. Its bytes come in chunks, in order, from one caller. Any free writer writes the chunks that have come; one writer at
/// a time has the job.
/// </summary>
/// <remarks>
/// A writer never waits here for bytes. So a file whose bytes come slowly holds no thread, and full memory always drains. The lock guards
/// the queue of chunks; everything else belongs to the writer that has the job. A file whose bytes are all there needs no lock.
/// </remarks>
internal sealed class FileJob : OutputJob
{
    private const int DefaultMode = 0x1B6, ModeBits = 0x1FF; // 0666, 0777
    private readonly object _gate;
    private readonly OutputCore _core;
    private readonly Folder _parent;
    private readonly string _name;
    private readonly FileEntry _entry;
    private readonly bool _isWhole;
    private Chunk? _next;
    private Queue<Chunk>? _more;
    private bool _isQueued;
    private bool _isEnded;
    private bool _isDone;
    private bool _hasFailed;
    private IWritableFile? _file;

    /// <summary>Initializes a new instance of the <see cref="FileJob"/> class for a file whose bytes come later.</summary>
    /// <param name="core">The output.</param>
    /// <param name="parent">The file's directory.</param>
    /// <param name="name">The file's name.</param>
    /// <param name="entry">Mode, time and length.</param>
    public FileJob(OutputCore core, Folder parent, string name, in FileEntry entry)
        : this(core, parent, name, entry, new object())
    {
    }

    /// <summary>Initializes a new instance of the <see cref="FileJob"/> class for a file whose bytes are all there.</summary>
    /// <param name="core">The output.</param>
    /// <param name="parent">The file's directory.</param>
    /// <param name="name">The file's name.</param>
    /// <param name="entry">Mode and time.</param>
    /// <param name="all">The bytes; null if there are none. The caller queues the job.</param>
    public FileJob(OutputCore core, Folder parent, string name, in FileEntry entry, Chunk? all)
        : this(core, parent, name, entry, gate: null!)
    {
        _next = all;
        _isWhole = _isQueued = _isEnded = true;
        IsAwaited = all is { Lent: not null };
    }

    private FileJob(OutputCore core, Folder parent, string name, in FileEntry entry, object gate)
    {
        _core = core;
        _parent = parent;
        _name = name;
        _entry = entry;
        _gate = gate;
    }

    /// <inheritdoc/>
    public override Folder Parent => _parent;

    /// <inheritdoc/>
    public override string Path => _parent.PathOf(_name);

    /// <inheritdoc/>
    public override bool IsAwaited { get; }

    /// <summary>Returns the mode a file is created with, before the umask.</summary>
    /// <param name="entry">What the caller asked for.</param>
    public static int ModeOf(in FileEntry entry) => (entry.Mode ?? DefaultMode) & ModeBits;

    /// <summary>Adds bytes, which the writer gives back.</summary>
    /// <param name="chunk">The bytes, or null.</param>
    /// <param name="isLast">Whether nothing comes after them.</param>
    public void Add(Chunk? chunk, bool isLast)
    {
        lock (_gate)
        {
            if (_next is null)
            {
                _next = chunk;
            }
            else if (chunk is { } bytes)
            {
                (_more ??= new Queue<Chunk>()).Enqueue(bytes);
            }

            _isEnded |= isLast;
            if (_isQueued)
            {
                return;
            }

            _isQueued = true;
        }

        _core.Writers.Add(this);
    }

    /// <summary>Makes the file a further name of an earlier one. Nothing was added before, and nothing is added after.</summary>
    /// <param name="earlier">The earlier file.</param>
    /// <returns>False if the file must be written.</returns>
    public bool TryTakeOver(IEarlierFile earlier) => _core.Tree.TryTakeOver(_parent, _name, earlier, _core.Syncs);

    /// <inheritdoc/>
    public override void Run(Writer writer)
    {
        bool isLast = false;
        while (!isLast && TryTake(out Chunk? chunk, out isLast))
        {
            try
            {
                if (_core.State.First is null)
                {
                    Step(chunk, isLast, writer);
                }
            }
            catch (Exception failed)
            {
                _hasFailed = true;
                _core.Fail(FileCallException.Failure(Path, "write", failed));
            }

            if (chunk is { } given)
            {
                GiveBack(given, writer);
            }

            if (isLast)
            {
                Leave(writer);
            }
            else if (writer.Freed >= OutputCore.ReportAt)
            {
                _core.Report(writer);
            }
        }
    }

    /// <summary>Takes the next bytes, or the end, or both. Returns false if neither has come.</summary>
    private bool TryTake(out Chunk? chunk, out bool isLast)
    {
        if (_isWhole)
        {
            chunk = _next;
            isLast = true;
            return true;
        }

        lock (_gate)
        {
            chunk = _next;
            _next = _more is { Count: > 0 } ? _more.Dequeue() : null;
            isLast = _isEnded && _next is null;
            _isQueued = isLast || chunk is not null;
            return _isQueued;
        }
    }

    private void Step(in Chunk? chunk, bool isLast, Writer writer)
    {
        _file ??= Open(_isWhole ? chunk?.Bytes.Length ?? 0 : _entry.Length ?? -1, writer);
        if (chunk is { } bytes)
        {
            long from = writer.Spans.Now;
            _file.Write(bytes.Bytes);
            writer.Bytes += bytes.Bytes.Length;
            writer.Spans.Span("write", from, PathFor(writer));
        }

        if (isLast)
        {
            long from = writer.Spans.Now;
            IWritableFile file = _file;
            _file = null;
            file.Complete(_core.TimeOf(_entry), _core.Syncs);
            _isDone = true;
            writer.Files++;
            writer.Spans.Span("close", from, PathFor(writer));
        }
    }

    private IWritableFile Open(long length, Writer writer)
    {
        _core.State.Current = this;
        long from = writer.Spans.Now;
        IWritableFile file = _core.Tree.CreateFile(_parent, _name, ModeOf(_entry), _core.Io.For(length));
        writer.Spans.Span("open", from, PathFor(writer));
        return file;
    }

    private string? PathFor(Writer writer) => writer.Spans.AreHeard ? Path : null;

    /// <summary>Gives a chunk's memory back, whether its bytes were written or not.</summary>
    private void GiveBack(in Chunk chunk, Writer writer)
    {
        if (chunk.Segment is { } segment)
        {
            writer.Freed += segment.Capacity;
            _core.Segments.Return(segment);
        }
        else if (_core.State.First is { } failure)
        {
            chunk.Lent!.TrySetException(failure.ToException());
        }
        else
        {
            chunk.Lent!.TrySetResult(true);
        }
    }

    private void Leave(Writer writer)
    {
        if (!_isDone && !_hasFailed)
        {
            _core.State.AddSkipped();
        }

        _file?.Abandon();
        _file = null;
        writer.Freed += Charge;
        writer.Ended++;
    }
}
