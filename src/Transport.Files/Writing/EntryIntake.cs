using System;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Threading.Tasks;

namespace Transport.Files;

/// <summary>
/// Accepts entries from callers: checks them, takes memory from the budget, and queues jobs for the writers. Safe for any thread.
/// </summary>
/// <param name="core">The output.</param>
/// <param name="earlier">The tree that files are taken over from, or null.</param>
internal sealed class EntryIntake(OutputCore core, IEarlierTree? earlier)
{
    /// <summary>Up to this length bytes are copied, and the call does not wait for a writer. Longer ones stay where they are.</summary>
    private const int LongestCopied = 256 << 10;
    private const int LongestTarget = 4095;

    /// <summary>Gets the hard links, which are created after all files.</summary>
    public HardLinks HardLinks { get; } = new();

    /// <summary>Accepts a file that is in memory.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="entry">Mode and time.</param>
    /// <param name="mode">How the call waits.</param>
    public async ValueTask WriteAsync(string path, ReadOnlyMemory<byte> bytes, FileEntry entry, WaitMode mode)
    {
        core.State.ThrowIfUnavailable();
        Check(entry, isLengthUsed: false);
        Folder parent = core.Folders.ParentOf(path, out string name);
        bool isCopied = bytes.Length <= LongestCopied;
        int memory = !isCopied || bytes.IsEmpty ? 0 : OutputCore.SegmentSize(bytes.Length);
        int charge = OutputCore.ChargeOf(name);
        await BeginAsync(charge + memory, mode).ConfigureAwait(false);
        if (isCopied)
        {
            core.Writers.Add(new FileJob(core, parent, name, entry, bytes.IsEmpty ? null : Copy(bytes)) { Charge = charge });
            return;
        }

        var lent = new LentMemory(bytes);
        core.Writers.Add(new FileJob(core, parent, name, entry, new Chunk(lent)) { Charge = charge });
        await mode.WaitAsync(new ValueTask(lent.Task)).ConfigureAwait(false);
    }

    /// <summary>Accepts a file from a stream, and reads the stream to its end.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="source">The stream.</param>
    /// <param name="entry">Mode, time and length.</param>
    /// <param name="mode">How the call waits.</param>
    public async ValueTask WriteAsync(string path, Stream source, FileEntry entry, WaitMode mode)
    {
        _ = source ?? throw new ArgumentNullException(nameof(source));
        FileFeed feed = Open(path, entry);
        Exception? broken;
        try
        {
            broken = await feed.ReadAsync(source, mode).ConfigureAwait(false);
            if (broken is null)
            {
                await feed.EndAsync(mode).ConfigureAwait(false);
            }
        }
        catch (Exception failed)
        {
            feed.Abort(failed);
            throw;
        }

        if (broken is not null)
        {
            feed.Abort(broken);
            ExceptionDispatchInfo.Capture(broken).Throw();
        }
    }

    /// <summary>Accepts a file whose bytes come piece by piece.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="entry">Mode, time and length.</param>
    /// <returns>Where its bytes go.</returns>
    public FileFeed Open(string path, in FileEntry entry)
    {
        core.State.ThrowIfUnavailable();
        Check(entry, isLengthUsed: true);
        Folder parent = core.Folders.ParentOf(path, out string name);
        core.State.Begin();
        var job = new FileJob(core, parent, name, entry);
        return new FileFeed(core, job, entry);
    }

    /// <summary>Finds the earlier file that a file may be taken over from.</summary>
    /// <param name="path">The file's path.</param>
    /// <param name="entry">Mode, time and length.</param>
    /// <param name="feed">The file's feed.</param>
    /// <returns>The comparison; null if there is no earlier file.</returns>
    public EarlierFeed? FindEarlier(string path, in FileEntry entry, FileFeed feed)
    {
        IEarlierFile? found = entry.Baseline is { } from && core.TimeOf(entry) is { } modified
            ? earlier?.Find(from, FileJob.ModeOf(entry), modified, entry.Length)
            : null;
        return found is null ? null : new EarlierFeed(core, feed, found, path);
    }

    /// <summary>Accepts a directory.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="entry">Mode and time.</param>
    public void CreateDirectory(string path, FileEntry entry)
    {
        core.State.ThrowIfUnavailable();
        Check(entry, isLengthUsed: false);
        Folder folder = core.Folders.Named(path, entry);
        Add(new FolderJob(core, folder) { Charge = OutputCore.LeastCharge });
    }

    /// <summary>Accepts a symbolic link.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="target">The text it holds.</param>
    /// <param name="modified">Its own time, or null.</param>
    public void CreateSymbolicLink(string path, string target, FileTime? modified)
    {
        core.State.ThrowIfUnavailable();
        var entry = new FileEntry { Modified = modified };
        Check(entry, isLengthUsed: false);
        if (string.IsNullOrEmpty(target) || target.IndexOf('\0') >= 0 || Utf8Names.Count(target.AsSpan()) > LongestTarget)
        {
            const string Reason = "it is empty, longer than 4095 bytes, or has a NUL in it.";
            throw Refused($"The target of the symbolic link '{TerminalText.Escape(path)}' is refused: {Reason}");
        }

        Folder parent = core.Folders.ParentOf(path, out string name);
        core.Folders.AddLink(path, parent, name);
        Add(new LinkJob(core, parent, name, target, core.TimeOf(entry)) { Charge = OutputCore.ChargeOf(name, target) });
    }

    /// <summary>Accepts a hard link.</summary>
    /// <param name="path">The new name's path.</param>
    /// <param name="existing">The path of an entry of this output.</param>
    public void CreateHardLink(string path, string existing)
    {
        core.State.ThrowIfUnavailable();
        _ = existing ?? throw new ArgumentNullException(nameof(existing));
        Folder from = core.Folders.KnownParentOf(existing, out string fromName) ?? throw Refused(
            $"The hard link '{TerminalText.Escape(path)}' names '{TerminalText.Escape(existing)}', and no earlier entry is there.");
        Folder parent = core.Folders.ParentOf(path, out string name);
        HardLinks.Add(parent, name, from, fromName);
    }

    private static TransportException Refused(string message) => new(TransportFault.FilePathRefused, message);

    /// <summary>Refuses values that no file has.</summary>
    private static void Check(in FileEntry entry, bool isLengthUsed)
    {
        if (isLengthUsed && entry.Length < 0)
        {
            const string Length = $"{nameof(FileEntry)}.{nameof(FileEntry.Length)} is from 0, or null if it is not known.";
            throw new ArgumentOutOfRangeException(nameof(entry), entry.Length, Length);
        }

        if (entry.Modified is { Nanoseconds: < 0 or > 999_999_999 } time)
        {
            const string Nanoseconds = $"{nameof(FileTime)}.{nameof(FileTime.Nanoseconds)} is from 0 to 999,999,999.";
            throw new ArgumentOutOfRangeException(nameof(entry), time.Nanoseconds, Nanoseconds);
        }
    }

    private Chunk Copy(ReadOnlyMemory<byte> bytes)
    {
        Segment segment = core.Segments.Rent(bytes.Length);
        bytes.Span.CopyTo(segment.Array);
        segment.Used = bytes.Length;
        ByteMoves.Note("1 file: copied for the writer", bytes.Length, bytes.Length);
        return new Chunk(segment);
    }

    private void Add(EntryJob job)
    {
        WaitMode.Block(BeginAsync(job.Charge, WaitMode.Blocking));
        core.Writers.Add(job);
    }

    /// <summary>Takes memory for an entry and counts it as under way. From here on its job must run.</summary>
    private async ValueTask BeginAsync(long bytes, WaitMode mode)
    {
        await mode.WaitAsync(core.Budget.TakeAsync(bytes, mode.CancellationToken)).ConfigureAwait(false);
        try
        {
            core.State.Begin();
        }
        catch
        {
            core.Budget.Give(bytes);
            throw;
        }
    }
}
