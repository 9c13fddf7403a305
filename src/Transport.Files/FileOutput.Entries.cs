using System;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Files;

/// <content>What a caller hands over.</content>
public sealed partial class FileOutput
{
    /// <summary>Up to here bytes are copied, and the call does not wait for a writer; beyond, they are written from the caller's memory.</summary>
    private const int LongestCopied = 256 << 10;

    /// <summary>Hands over a file that is in memory.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="bytes">Its bytes; the caller's again when the task has ended. Up to 256 KiB are copied, more are written from where they are.</param>
    /// <param name="entry">Mode and time; <see cref="FileEntry.Length"/> is not looked at.</param>
    /// <param name="cancellation">Ends a wait for room.</param>
    /// <returns>A task that ends when the bytes are taken (up to 256 KiB; most often at once) or written.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>: this path; the output goes on. Else the first failure of the output.</exception>
    /// <exception cref="OperationCanceledException">Cancelled before there was room: the file was not handed over.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A time's nanoseconds are none.</exception>
    public ValueTask WriteAsync(string path, ReadOnlyMemory<byte> bytes, FileEntry entry = default, CancellationToken cancellation = default) =>
        WriteAsync(path, bytes, entry, blocks: false, cancellation);

    /// <summary>As <see cref="WriteAsync(string, ReadOnlyMemory{byte}, FileEntry, CancellationToken)"/>, blocking the caller's thread where it must wait.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="bytes">Its bytes; the caller's again at return.</param>
    /// <param name="entry">Mode and time.</param>
    /// <exception cref="TransportException">As there.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A time's nanoseconds are none.</exception>
    public void Write(string path, ReadOnlyMemory<byte> bytes, FileEntry entry = default) =>
        MemoryBudget.Block(WriteAsync(path, bytes, entry, blocks: true, default));

    /// <summary>Hands over a file whose bytes a stream gives, read to its end on the caller's path; writers write meanwhile.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="source">Where the bytes come from, from its position on; not disposed.</param>
    /// <param name="entry">Mode, time, and how many bytes it must have.</param>
    /// <param name="cancellation">Ends waits and reads; the output fails then, because half a file was handed over.</param>
    /// <returns>A task that ends when the stream is read to its end.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>: this path, nothing was read; the output goes on. <see cref="TransportFault.FileSourceFailed"/>: another length than announced. Else the first failure of the output.</exception>
    /// <exception cref="Exception">Whatever the stream throws comes back as it is; the output has failed with <see cref="TransportFault.FileSourceFailed"/>.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A time's nanoseconds, or a length, are none.</exception>
    public ValueTask WriteAsync(string path, Stream source, FileEntry entry = default, CancellationToken cancellation = default) =>
        WriteAsync(path, source, entry, blocks: false, cancellation);

    /// <summary>As <see cref="WriteAsync(string, Stream, FileEntry, CancellationToken)"/>, reading with <see cref="Stream.Read(byte[], int, int)"/> and blocking the caller's thread: the faster one for sources that are no network.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="source">Where the bytes come from, from its position on; not disposed.</param>
    /// <param name="entry">Mode, time, and how many bytes it must have.</param>
    /// <exception cref="TransportException">As there.</exception>
    /// <exception cref="Exception">Whatever the stream throws comes back as it is.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A time's nanoseconds, or a length, are none.</exception>
    public void Write(string path, Stream source, FileEntry entry = default) =>
        MemoryBudget.Block(WriteAsync(path, source, entry, blocks: true, default));

    /// <summary>Begins a file whose bytes come piece by piece.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="entry">Mode, time, and how many bytes it must have.</param>
    /// <returns>The file; complete or dispose it.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>, or the first failure of the output.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A time's nanoseconds, or a length, are none.</exception>
    public OutputFile Open(string path, FileEntry entry = default)
    {
        CheckOpen();
        Check(entry, isLengthUsed: true);
        Folder parent = _core.Folders.ParentOf(path, out string name);
        _core.State.Begin();
        var job = new FileJob(_core, parent, name, entry);
        var file = new OutputFile(this, _core, new FileFeed(_core, job, entry), path, EarlierOf(entry));
        lock (_openFiles)
        {
            _openFiles.Add(file);
        }

        return file;
    }

    /// <summary>Names a directory: it is made where it is missing, and gets its mode and time after its last entry. Named twice, the last counts; "." is the tree itself.</summary>
    /// <param name="path">Its path; a '/' at the end is allowed.</param>
    /// <param name="entry">Mode (0777 where none is given) and time.</param>
    /// <remarks>Blocks the caller's thread while there is no room.</remarks>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>, or the first failure of the output.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A time's nanoseconds are none.</exception>
    public void CreateDirectory(string path, FileEntry entry = default)
    {
        CheckOpen();
        Check(entry, isLengthUsed: false);
        Folder folder = _core.Folders.Named(path, entry);
        Add(new FolderJob(_core, folder) { Charge = OutputCore.LeastCharge });
    }

    /// <summary>Makes a symbolic link. Where it points is nobody's concern: nothing is ever written through it, and a path that goes through it is refused.</summary>
    /// <param name="path">The link's path.</param>
    /// <param name="target">What it says; 1 to 4,095 bytes, no NUL.</param>
    /// <param name="modified">The link's own time, or null.</param>
    /// <remarks>Blocks the caller's thread while there is no room.</remarks>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>, <see cref="TransportFault.FileExists"/>: a directory of this output has that path, or the first failure of the output.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A time's nanoseconds are none.</exception>
    public void CreateSymbolicLink(string path, string target, FileTime? modified = null)
    {
        CheckOpen();
        Check(new FileEntry { Modified = modified }, isLengthUsed: false);
        if (string.IsNullOrEmpty(target) || target.IndexOf('\0') >= 0 || Utf8Names.Count(target.AsSpan()) > 4095)
        {
            throw new TransportException(TransportFault.FilePathRefused, $"The target of the symbolic link '{EntryName.Escape(path)}' is refused: it is empty, longer than 4095 bytes, or has a NUL in it.");
        }

        Folder parent = _core.Folders.ParentOf(path, out string name);
        _core.Folders.AddLink(path, parent, name);
        Add(new LinkJob(_core, parent, name, target, _options.SetTimes ? modified : null) { Charge = OutputCore.ChargeOf(name, target) });
    }

    /// <summary>Makes a further name of a file or symbolic link of this output. It is made at the end, when all files are written; where the other name then is none, the output fails.</summary>
    /// <param name="path">The new name's path.</param>
    /// <param name="existing">The path of an entry of this output, relative to its root, as all paths. Its directory must have been named by now, itself or by an entry in it; the entry may come later.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.FilePathRefused"/>: a path, or nothing was handed over in the directory that <paramref name="existing"/> names. Else the first failure of the output.</exception>
    /// <exception cref="ObjectDisposedException">The output was completed or disposed.</exception>
    public void CreateHardLink(string path, string existing)
    {
        CheckOpen();
        Folder from = _core.Folders.KnownParentOf(existing ?? throw new ArgumentNullException(nameof(existing)), out string fromName)
            ?? throw new TransportException(TransportFault.FilePathRefused, $"The hard link '{EntryName.Escape(path)}' names '{EntryName.Escape(existing)}', and no earlier entry is there.");
        Folder parent = _core.Folders.ParentOf(path, out string name);
        _hardLinks.Add(parent, name, from, fromName);
    }

    private EarlierFile? EarlierOf(in FileEntry entry) =>
        entry.Earlier is { } path && _core.TimeOf(entry) is { } modified ? _core.Earlier?.Find(path, FileSteps.ModeOf(entry), modified, entry.Length) : null;

    private void CheckOpen()
    {
        if (Volatile.Read(ref _closed) != 0)
        {
            throw new ObjectDisposedException(nameof(FileOutput), "The output is completed or disposed.");
        }

        _core.State.ThrowIfFailed();
    }

    private async ValueTask WriteAsync(string path, ReadOnlyMemory<byte> bytes, FileEntry entry, bool blocks, CancellationToken cancellation)
    {
        CheckOpen();
        Check(entry, isLengthUsed: false);
        Folder parent = _core.Folders.ParentOf(path, out string name);
        bool isCopied = bytes.Length <= LongestCopied;
        int room = !isCopied || bytes.IsEmpty ? 0 : OutputCore.RoomFor(bytes.Length);
        int charge = OutputCore.ChargeOf(name);
        await ChargeAsync(charge + room, blocks, cancellation).ConfigureAwait(false);
        if (isCopied)
        {
            _core.Writers.Add(new WholeFileJob(_core, parent, name, entry, bytes.IsEmpty ? null : Copy(bytes)) { Charge = charge });
            return;
        }

        var written = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        _core.Writers.Add(new WholeFileJob(_core, parent, name, entry, new Chunk(bytes, written)) { Charge = charge });
        if (blocks)
        {
            written.Task.GetAwaiter().GetResult();
        }
        else
        {
            await written.Task.ConfigureAwait(false);
        }
    }

    private async ValueTask WriteAsync(string path, Stream source, FileEntry entry, bool blocks, CancellationToken cancellation)
    {
        if (source is null)
        {
            throw new ArgumentNullException(nameof(source));
        }

        CheckOpen();
        Check(entry, isLengthUsed: true);
        Folder parent = _core.Folders.ParentOf(path, out string name);
        _core.State.Begin();
        var job = new FileJob(_core, parent, name, entry);
        var feed = new FileFeed(_core, job, entry) { Blocks = blocks };
        Exception? broken;
        try
        {
            broken = await feed.ReadAsync(source, cancellation).ConfigureAwait(false);
            if (broken is null)
            {
                await feed.EndAsync(cancellation).ConfigureAwait(false);
            }
        }
        catch (Exception failed)
        {
            feed.Break(failed);
            throw;
        }

        if (broken is not null)
        {
            feed.Break(broken);
            ExceptionDispatchInfo.Capture(broken).Throw();
        }
    }

    /// <summary>Refuses what no file has, before anything is made of it.</summary>
    private static void Check(in FileEntry entry, bool isLengthUsed)
    {
        if (isLengthUsed && entry.Length < 0)
        {
            throw new ArgumentOutOfRangeException(nameof(entry), entry.Length, $"{nameof(FileEntry)}.{nameof(FileEntry.Length)} is from 0, or null where it is not known.");
        }

        if (entry.Modified is { Nanoseconds: < 0 or > 999_999_999 } time)
        {
            throw new ArgumentOutOfRangeException(nameof(entry), time.Nanoseconds, $"{nameof(FileTime)}.{nameof(FileTime.Nanoseconds)} is from 0 to 999,999,999.");
        }
    }

    private Chunk Copy(ReadOnlyMemory<byte> bytes)
    {
        Segment segment = _core.Segments.Rent(bytes.Length);
        bytes.Span.CopyTo(segment.Array);
        segment.Used = bytes.Length;
        return new Chunk(segment);
    }

    private void Add(EntryJob job)
    {
        MemoryBudget.Block(ChargeAsync(job.Charge, blocks: true, default));
        _core.Writers.Add(job);
    }

    /// <summary>Takes room for an entry and counts it as under way: from here on its job must run.</summary>
    private async ValueTask ChargeAsync(long bytes, bool blocks, CancellationToken cancellation)
    {
        ValueTask room = _core.Budget.TakeAsync(bytes, cancellation);
        if (blocks)
        {
            MemoryBudget.Block(room);
        }
        else
        {
            await room.ConfigureAwait(false);
        }

        try
        {
            CheckOpen();
            _core.State.Begin();
        }
        catch
        {
            _core.Budget.Give(bytes);
            throw;
        }
    }
}
