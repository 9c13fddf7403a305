using System;
using System.IO;
using BuildHarness.Archives.Gzip;
using BuildHarness.Archives.Names;
using BuildHarness.Archives.Tar;
using BuildHarness.Archives.Zip;

namespace BuildHarness.Archives;

/// <summary>
/// Reads an archive entry by entry, and hands out only what may be made of it: each entry's name, kind and place is checked against all
/// before it. What is known only at the end (check sums, lengths, trailers) is checked there, so nothing may be kept of an archive whose
/// end was not reached. For one thread.
/// </summary>
internal sealed class ArchiveReader : IDisposable
{
    private readonly ArchiveFile _file;
    private readonly GzipMembers? _gzip;
    private readonly IEntrySource _source;
    private readonly ArchiveLimits _limits;
    private readonly PathTable _paths;
    private readonly bool _onWindows;
    private long _nameBytes;
    private int _entries;

    private ArchiveReader(ArchiveFile file, ArchiveLimits limits, bool foldsNames, bool onWindows)
    {
        _file = file;
        _limits = limits;
        _onWindows = onWindows;
        _paths = new PathTable(foldsNames, limits.Entries);
        Format = ArchiveSniffer.FormatOf(file);
        var budget = new Budget(limits, Format == ArchiveFormat.Tar ? null : file.Length);
        if (Format == ArchiveFormat.Zip)
        {
            _source = new ZipEntries(file, limits, budget);
            return;
        }

        _gzip = Format == ArchiveFormat.GzippedTar ? new GzipMembers(file, limits, budget) : null;
        _source = new TarEntries(_gzip is null ? new FileBytes(file) : _gzip, limits, budget, _gzip is null ? file.Length : null);
    }

    public ArchiveFormat Format { get; }

    /// <summary>Gets the content of the entry that <see cref="Next"/> gave last, until its next call.</summary>
    public Stream Content => field ??= new EntryContent(_source);

    /// <param name="path">The archive; its content shows its kind.</param>
    /// <param name="limits">What it may make of itself.</param>
    /// <param name="foldsNames">Whether the file system takes names for one that differ in case or in how accents are composed.</param>
    /// <param name="onWindows">Whether backslashes and colons mean something in paths; null: as on this system.</param>
    /// <exception cref="ArchiveException">It is none, or one that is refused as a whole.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static ArchiveReader Open(string path, ArchiveLimits limits, bool foldsNames = false, bool? onWindows = null)
    {
        ArchiveFile file = ArchiveFile.Open(path);
        try
        {
            return new ArchiveReader(file, limits, foldsNames, onWindows ?? OperatingSystem.IsWindows());
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Goes to the next entry; what was not read of the current one's content is read and checked first.</summary>
    /// <returns>The entry, or null if the archive has ended and all of it was right.</returns>
    /// <exception cref="ArchiveException">The archive is refused.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public ArchiveEntry? Next() => _source.Next() is { } raw ? Check(raw) : null;

    public void Dispose()
    {
        (_source as IDisposable)?.Dispose();
        _gzip?.Dispose();
        _file.Dispose();
    }

    private ArchiveEntry Check(RawEntry raw)
    {
        if (++_entries > _limits.Entries)
        {
            throw Refuse(raw, FormattableString.Invariant($"there are more than {_limits.Entries} entries (--limit-entries)"));
        }

        _nameBytes += raw.Name.Length + raw.LinkName.Length;
        if (_nameBytes > _limits.NameBytes)
        {
            throw Refuse(raw, FormattableString.Invariant($"all names together have more than {_limits.NameBytes} bytes"));
        }

        if (EntryPath.Normalize(raw.Name, _onWindows, out byte[] path) is { } fault)
        {
            throw Refuse(raw, fault);
        }

        EntryKind counted = raw.Kind;
        string link = raw.Kind switch
        {
            EntryKind.SymbolicLink => SymbolicTarget(raw),
            EntryKind.HardLink => HardTarget(raw, out counted),
            _ => string.Empty,
        };
        if (_paths.Add(path, counted) is { } taken)
        {
            throw Refuse(raw, taken);
        }

        return new ArchiveEntry
        {
            Path = ByteText.Decode(path),
            Kind = raw.Kind,
            Size = raw.Size,
            Mode = raw.Mode,
            Modified = raw.Modified,
            LinkName = link,
        };
    }

    private static string SymbolicTarget(RawEntry raw) =>
        raw.LinkName.Length == 0 ? throw Refuse(raw, "the symbolic link has no target")
        : raw.LinkName.Length > 4095
            ? throw Refuse(raw, FormattableString.Invariant($"the symbolic link's target has {raw.LinkName.Length} bytes, more than 4095"))
        : raw.LinkName.AsSpan().Contains((byte)0) ? throw Refuse(raw, "a NUL is in the symbolic link's target")
        : ByteText.Decode(raw.LinkName);

    private string HardTarget(RawEntry raw, out EntryKind kind)
    {
        if (EntryPath.Normalize(raw.LinkName, _onWindows, out byte[] target) is { } fault)
        {
            throw Refuse(raw, $"of what the hard link names, {ByteText.Show(raw.LinkName)}: {fault}");
        }

        return _paths.FindTarget(target, out kind) is { } wrong ? throw Refuse(raw, $"{wrong}: {ByteText.Show(raw.LinkName)}")
            : ByteText.Decode(target);
    }

    private static ArchiveException Refuse(RawEntry raw, string reason) => new(raw.Name, reason);

    private sealed class EntryContent(IEntrySource source) : ForwardStream
    {
        public override int Read(Span<byte> buffer) => source.Read(buffer);
    }
}
